// Lists runs as list-runs.c does, with a library of npm: node oracle.mjs croner|cron-parser FOLDER
// After the last run that it could find stands `stuck` if the next one is not later, or there is only an error.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const [library, folder] = process.argv.slice(2);
const require = createRequire(folder + "/");
const { Cron } = library === "croner" ? require("croner") : {};
const { CronExpressionParser } = library === "cron-parser" ? require("cron-parser") : {};

// Each gives a function that returns the run after a time; null if there is none.
function openCroner(expression, zone) {
  const cron = new Cron(expression, { timezone: zone, mode: "5-part" });
  return (time) => cron.nextRun(time);
}

function openCronParser(expression, zone, from) {
  const cron = CronExpressionParser.parse(expression, { tz: zone, currentDate: from });
  return () => cron.next();
}

function listRuns(next, from, to) {
  const runs = [];
  for (let time = from; ;) {
    const after = time.getTime();
    try {
      time = next(time);
    } catch (error) {
      return [...runs, "stuck"];
    }
    if (time === null || time.getTime() >= to.getTime())
      return runs;
    if (time.getTime() <= after)
      return [...runs, "stuck"];
    runs.push(time.getTime() / 1000);
  }
}

const open = library === "croner" ? openCroner : openCronParser;
for await (const line of createInterface({ input: process.stdin })) {
  const [expression, zone, start, end] = line.split("\t");
  const from = new Date(start * 1000);
  let next;
  try {
    next = open(expression, zone, from);
  } catch (error) {
    console.log("refused");
    continue;
  }
  console.log(listRuns(next, from, new Date(end * 1000)).join(" "));
}
