// Asks the explorer's engine what a page would ask: tables on the first line of the input, then a question a line.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const { makeEngine } = await import(pathToFileURL(process.argv[2]).href);
const engine = makeEngine(JSON.parse((await lines.next()).value));
for await (const line of lines) {
  const [name, given] = JSON.parse(line);
  let answer;
  try {
    answer = engine[name](given);
  } catch (error) {
    answer = { type: error.type ?? "crash", error: error.type ? error.message : error.stack };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
