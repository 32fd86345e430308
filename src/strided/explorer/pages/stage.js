// How does a step look? Facts, the reason for a view or a copy, the index grid, the memory strip.

import { lanesOf } from "./arrows.js";
import { grid, memory, outerAxes, valuesByPosition } from "./cells.js";
import { badge, bytes, make, minus, tuple } from "./dom.js";
import { enliven } from "./light.js";

function fact(name, value, ...notes) {
  const lines = notes.filter(Boolean).map((note) => make("small", {}, minus(note)));
  return make("div", {}, make("dt", {}, name), make("dd", {}, make("span", { class: "code" }, minus(value)), ...lines));
}

function facts(step, before) {
  const same = before && before.storage === step.storage;
  const was = (name, text) => (same && text(before[name]) !== text(step[name]) ? `was ${text(before[name])}` : "");
  const reached = step.picture.used === null || step.picture.used === step.storage_size
    ? `${bytes(step.storage_size * step.itemsize)}`
    : `${step.picture.used} of them reached`;
  const inBytes = step.strides.length ? `in bytes ${tuple(step.strides.map((stride) => stride * step.itemsize))}` : "";
  const list = make("dl", { class: "facts" });
  list.append(
    fact("Shape", tuple(step.shape), was("shape", tuple)),
    fact("Strides", tuple(step.strides), was("strides", tuple), inBytes),
    fact("Offset", step.offset, was("offset", String)),
  );
  list.append(fact("Contiguous", step.contiguous ? "yes" : "no", step.why_not_contiguous || "row-major, no gaps"));
  list.append(fact("Storage", `${step.storage_size} × ${step.dtype}`, reached));
  return list;
}

// What would copy less, each as a button.
function instead(step, open) {
  if (!step.alternatives.length) {
    return make("p", {}, make("strong", {}, "No view "), "has these elements in this order: the copy is what this step costs.");
  }
  return make("div", {}, ...step.alternatives.map((fix) => make("p", { class: "fixes" }, make("strong", {}, "Instead: "),
    make("button", { type: "button", class: "chip code", onclick: () => open(fix.expression) }, fix.label), ` ${fix.note}`)));
}

function why(step, open) {
  const lines = [];
  if (step.kind === "copy") {
    lines.push(make("p", {}, make("strong", {}, "A copy: "), `${minus(step.why)}.`));
    lines.push(make("p", {}, make("strong", {}, "Hint: "), `${step.hint}.`));
    lines.push(instead(step, open));
  } else {
    const lead = { made: "New memory. ", view: "A view, 0 bytes moved. ", same: "The tensor itself. " }[step.kind];
    lines.push(make("p", {}, make("strong", {}, lead), step.why));
  }
  if (step.overlaps_itself) {
    lines.push(make("p", {}, "Some elements stand at several indices: it can be read, not written."));
  }
  return make("div", { class: `why ${step.kind}` }, ...lines);
}

// Shows a step; `origin` is the text that made its storage, `open` takes the chain of an alternative.
export function drawStage(place, step, before, origin, open) {
  const values = valuesByPosition(step.picture);
  const rest = "Point at an element; click it to follow it through the steps. Arrow keys walk, Enter follows.";
  const summary = step.picture.whole ? "" : ` The first and last places of each axis are drawn; ${step.size} elements in all.`;
  const stage = make("div", { class: "stage", "data-origin": origin },
    make("header", { class: "stage-head" }, make("h2", { class: "code" }, step.source), badge(step)),
    facts(step, before),
    why(step, open),
    make("h3", {}, "Elements by index", outerAxes(step), make("small", {}, summary)),
    step.size ? grid(step, values) : make("p", { class: "empty" }, "No elements: an axis has length 0."),
    make("p", { class: "formula code resting", "data-rest": rest, hidden: step.storage_size === 0 }, rest),
    make("h3", {}, "Memory", make("small", {}, " one storage, in order; the colour is the place, arrows are one step along each axis")),
    memory(step, values),
    make("p", { class: "legend", hidden: step.storage_size === 0 },
      ...[["start", "offset"], ["unreached", "not reached"], ["pointed", "pointed at or followed"]].map(
        ([key, text]) => make("span", {}, make("span", { class: `key ${key}` }), text))),
  );
  stage.style.setProperty("--lanes", `${lanesOf(step)}px`);
  place.replaceChildren(stage);
  enliven(stage, step);
}
