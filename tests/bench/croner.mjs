// croner's part of bench-cron: node croner.mjs FOLDER EXPRESSIONS follow|anywhere; prints nanoseconds per run and the sum of all runs.
import { createRequire } from "node:module";

const [folder, expressions, mode] = process.argv.slice(2);
const { Cron } = createRequire(folder + "/")("croner");
const COUNT = 20000;
const START = 1767225600;
const SPAN = 3 * 365 * 86400;

// A fixed offset is croner's fast way in UTC: no calendar of the system is asked.
const crons = expressions.split("\n").map((text) => new Cron(text, { utcOffset: 0, mode: "5-part", paused: true }));

function runAll(count) {
  let sum = 0;
  for (const cron of crons) {
    let time = START;
    for (let i = 0; i < count; i++) {
      time = cron.nextRun(new Date((mode === "follow" ? time : START + ((i * 1000003) % SPAN)) * 1000)).getTime() / 1000;
      sum += time - START;
      if (time > START + SPAN)
        time = START;
    }
  }
  return sum;
}

runAll(5000);
const before = process.cpuUsage();
const sum = runAll(COUNT);
const used = process.cpuUsage(before);
console.log(((used.user + used.system) * 1000) / COUNT / crons.length, sum);
