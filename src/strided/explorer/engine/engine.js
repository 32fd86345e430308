// The explorer without a server: what the page asks is answered here, from the tables that strided wrote.

import { check } from "./answers.js";
import { evaluate, valueOf } from "./steps.js";
import { nextSteps } from "./next_steps.js";
import { invalidArgument, quoted } from "./errors.js";

// Numbers that look random and are the same in every place that counts like this: strided.explorer.exercises does.
class Chance {
  constructor(seed) { this.state = BigInt(seed) + 1n; }
  below(n) {
    this.state = (this.state * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n;
    return Number((this.state >> 33n) % BigInt(n));
  }
  of(items) { return items[this.below(items.length)]; }
}

// A question about a chain of two or three random view steps.
function practice(seed, tables) {
  const chance = new Chance(seed);
  const lengths = Array.from({ length: 2 + chance.below(2) }, () => 2 + chance.below(3));
  let chain = `zeros(${lengths.join(", ")})`;
  for (let left = 2 + chance.below(2); left > 0; left--) {
    const views = nextSteps(valueOf(chain, tables), tables.limits).filter((step) =>
      tables.practice.groups.includes(step.group) && !tables.practice.without.includes(step.label));
    const { before, fields, after } = chance.of(views);
    chain += before + fields.map((field) => field.value).join(", ") + after;
  }
  return { ...tables.practice.question, id: `practice-${seed}`, title: `Practice ${seed}`, code: [chain] };
}

function questionOf(id, tables) {
  const known = tables.questions.find((question) => question.id === id);
  if (known) return known;
  const seed = /^practice-(\d{1,9})$/.exec(id);
  if (seed) return practice(seed[1], tables);
  const names = tables.questions.map((question) => question.id).join(", ");
  throw invalidArgument("exercise", quoted(id.slice(0, 40)), `must be practice-N or one of ${names}`);
}

// What the server of `strided explore` answers; speeds alone are not measured here.
export function makeEngine(tables) {
  const { version, examples, chapters, questions } = tables;
  return {
    start: () => ({ version, examples, chapters, questions, measures: false }),
    evaluate: ({ expression }) => evaluate(expression, tables),
    exercise: ({ id }) => questionOf(id, tables),
    answer: ({ id, answer }) => check(questionOf(id, tables), answer, tables),
  };
}
