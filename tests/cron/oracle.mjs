// Lists runs as list-runs.c does, with a library of npm: node oracle.mjs croner|cron-parser FOLDER
import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const [library, folder] = process.argv.slice(2);
const require = createRequire(folder + "/");

function runsOfCroner(expression, zone, from, to) {
  const { Cron } = require("croner");
  const cron = new Cron(expression, { timezone: zone, mode: "5-part" });
  const runs = [];
  for (let time = new Date(from * 1000); ;) {
    time = cron.nextRun(time);
    if (time === null || time.getTime() >= to * 1000)
      return runs;
    runs.push(time.getTime() / 1000);
    if (runs.length > 5000)
      return runs;
  }
}

function runsOfCronParser(expression, zone, from, to) {
  const { CronExpressionParser } = require("cron-parser");
  const cron = CronExpressionParser.parse(expression, { tz: zone, currentDate: new Date(from * 1000) });
  const runs = [];
  for (;;) {
    const time = cron.next().getTime();
    if (time >= to * 1000 || runs.length > 5000)
      return runs;
    runs.push(time / 1000);
  }
}

const list = library === "croner" ? runsOfCroner : runsOfCronParser;
for await (const line of createInterface({ input: process.stdin })) {
  const [expression, zone, from, to] = line.split("\t");
  try {
    console.log(list(expression, zone, Number(from), Number(to)).join(" "));
  } catch (error) {
    console.log("refused");
  }
}
