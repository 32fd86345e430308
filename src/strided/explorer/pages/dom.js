// How are elements made, and numbers written? What every part of the page uses.

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const tuple = (values) => `(${values.join(", ")}${values.length === 1 ? "," : ""})`;
export const minus = (text) => String(text).replace(/(?<![\w)-])-(?=\d)/g, "\u2212");
export const signed = (n) => (n > 0 ? `+${n}` : minus(n));
export const bytes = (n) => {
  if (n < 10000) return `${n} bytes`;
  return n < 1e6 ? `${(n / 1e3).toFixed(0)} kB` : `${(n / 1e6).toFixed(1)} MB`;
};

const KINDS = { made: "new", view: "view", copy: "copy", same: "no-op" };

export function badge(step) {
  const text = step.kind === "copy" ? `copy ${bytes(step.bytes_copied)}` : KINDS[step.kind];
  return make("span", { class: `badge ${step.kind}` }, text);
}

// What the browser keeps for this page; nothing, where it is opened from a file or inside of another page.
export const kept = {
  get(name) {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  set(name, value) {
    try {
      if (value === null) localStorage.removeItem(name);
      else localStorage.setItem(name, value);
    } catch {
      // The page works without.
    }
  },
};
