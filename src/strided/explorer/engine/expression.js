// The chain of operations that a line of text stands for, as strided.explorer.expression reads it.
//
// The text is read by hand into data; nothing in it is ever run, and every name is checked against the tables.
// Values are whole numbers, lists (Python's tuples too), and in an index null (None), "..." and slices.

import { expressionError, quoted } from "./errors.js";

const TOKEN = /[ \t\n\r\f\v]*(?:([A-Za-z_]\w*)|(\d[\d_]*)|(\.\.\.|[-.()[\],:=]))/y;
const KINDS = [null, "name", "number", "sign"];

// The tokens of a text, and the column of a character that begins none.
function cut(text) {
  const tokens = [];
  const stop = text.trimEnd().length;
  let at = 0;
  while (at < stop) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) return { tokens, bad: stop - text.slice(at, stop).trimStart().length };
    at = TOKEN.lastIndex;
    const kind = KINDS[match.findIndex((part, i) => i > 0 && part !== undefined)];
    const found = match[0].trimStart();
    tokens.push({ kind, text: found, column: at - found.length, end: at });
  }
  tokens.push({ kind: "end", text: "", column: stop, end: stop });
  return { tokens, bad: null };
}

const isList = Array.isArray;
const flatNumbers = (value) => isList(value) && value.every((item) => typeof item === "number");

// What an argument of a kind must be; null where the value is that.
const KIND_CHECKS = {
  int: (value) => (isList(value) ? "must be a whole number, not a list" : null),
  ints: (value) => (flatNumbers(value) ? null : "must be a list of whole numbers"),
  either: (value) => (!isList(value) || flatNumbers(value) ? null : "must be a whole number or a list of them"),
  data: () => null,
};

class Reader {
  #place = 0;
  #depth = 0;

  constructor(text, names, tables) {
    this.text = text;
    this.names = names;
    this.tables = tables;
    const { length } = tables.limits;
    if ([...text].length > length) this.#fail(length, "the text is too long", `use at most ${length} characters`);
    const { tokens, bad } = cut(text);
    this.tokens = tokens;
    if (bad !== null) {
      this.#fail(bad, `${quoted(String.fromCodePoint(text.codePointAt(bad)))} has no meaning here`,
        "use names, whole numbers, brackets, commas, colons and dots");
    }
  }

  #fail(column, problem, hint = "") { throw expressionError(this.text, column, problem, hint); }

  // ---- tokens ----

  get #now() { return this.tokens[this.#place]; }
  get #following() { return this.tokens[this.#place + 1] ?? this.#now; }
  #next() {
    const token = this.#now;
    if (token.kind !== "end") this.#place++;
    return token;
  }
  #at(text) { return this.#now.kind === "sign" && this.#now.text === text; }
  #skip(text) {
    const found = this.#at(text);
    if (found) this.#place++;
    return found;
  }
  #found(token = this.#now) { return token.text ? quoted(token.text) : "the end of the text"; }
  #need(text, hint) {
    if (!this.#skip(text)) this.#fail(this.#now.column, `expected ${quoted(text)}, found ${this.#found()}`, hint);
  }

  // ---- the chain ----

  chain() {
    const links = [this.#start()];
    const most = this.tables.limits.steps;
    while (this.#now.kind !== "end") {
      if (links.length >= most) this.#fail(this.#now.column, "the chain is too long", `use at most ${most} steps`);
      if (this.#at("[")) links.push(this.#index());
      else if (this.#skip(".")) links.push(this.#dotted(this.tokens[this.#place - 1]));
      else {
        this.#fail(this.#now.column, `expected a next step, found ${this.#found()}`,
          "go on with .operation(...) or [index]");
      }
    }
    return links;
  }

  // The name of a library in front of a name (np.arange), skipped; "" where there is none.
  #library() {
    const { text } = this.#now;
    if (!this.tables.libraries.includes(text) || this.#following.text !== ".") return "";
    this.#place += 2;
    return text;
  }

  #start() {
    const library = this.#library();
    const first = this.#next();
    if (first.kind !== "name") {
      this.#fail(first.column, `expected a tensor, found ${first.text ? quoted(first.text) : "nothing"}`,
        "begin with a new tensor, such as arange(24)");
    }
    const names = library ? [] : this.names;
    if (names.includes(first.text)) return this.#link("name", first.text, [], {}, first.column);
    const { makers, steps } = this.tables;
    const row = makers[this.tables.makerAliases[first.text] ?? first.text];
    if (!row && steps[first.text]) {
      this.#fail(first.column, `${first.text} goes on from a tensor`,
        `begin with a new tensor: arange(24).${steps[first.text].use.replace(/^\./, "")}`);
    }
    if (!row) {
      this.#fail(first.column, `${quoted(first.text)} makes no tensor`,
        `begin with one of ${[...[...names].sort(), ...Object.keys(makers)].join(", ")}`);
    }
    return { ...this.#call("make", row, first, first.column), library };
  }

  #dotted(dot) {
    const name = this.#next();
    const row = name.kind === "name" ? this.tables.steps[name.text] : undefined;
    if (!row) {
      const problem = name.text ? `there is no operation ${quoted(name.text)}` : "a name is missing";
      this.#fail(name.column, problem, nearest(name.text, this.tables));
    }
    if (isProperty(row)) {
      if (this.#at("(")) this.#fail(this.#now.column, `.${row.name} takes no brackets`, `use .${row.name}`);
      return this.#link("property", row.name, [], {}, dot.column);
    }
    return this.#call("method", row, name, dot.column);
  }

  #call(kind, row, name, column) {
    const use = `use ${row.use}`;
    this.#need("(", use);
    const args = [];
    const keywords = {};
    while (!this.#skip(")")) {
      const token = this.#now;
      if (token.kind === "name" && this.#following.text === "=") {
        const key = this.#keyword(row, token.text);
        if (!key || key in keywords) this.#fail(token.column, `${row.name} does not take ${token.text}= here`, use);
        this.#place += 2;
        const start = this.#now.column;
        keywords[key] = key === "dtype" ? this.#dtype() : this.#value();
        if (key !== "dtype") this.#checkKind(row, key, kindOf(row, key), keywords[key], start);
      } else if (Object.keys(keywords).length) {
        this.#fail(token.column, "a plain argument follows a named one", use);
      } else {
        const value = this.#value();
        const [label, argKind] = positional(row, args.length);
        this.#checkKind(row, label, argKind, value, token.column);
        args.push(value);
      }
      if (!this.#skip(",")) {
        this.#need(")", use);
        break;
      }
    }
    const given = args.length + Object.keys(keywords).filter((key) => key !== "dtype").length;
    const most = Math.min(row.most, this.tables.limits.list);
    if (given < row.least || given > most) this.#fail(name.column, `${row.name} does not take ${given} arguments`, use);
    if (row.star && args.length > 1 && isList(args[0])) {
      this.#fail(name.column, `${row.name} takes one list, or numbers alone`, use);
    }
    return this.#link(kind, row.name, args, keywords, column);
  }

  #keyword(row, text) {
    if (row.keywords.includes(text)) return text;
    return (this.tables.keywordAliases[text] ?? []).find((name) => row.keywords.includes(name));
  }

  #checkKind(row, label, kind, value, column) {
    const problem = KIND_CHECKS[kind](value);
    if (problem) this.#fail(column, `${label} ${problem}`, `use ${row.use}`);
    if (kind === "data") this.#checkRegular(value, column);
  }

  // Lists inside of lists must stand for a tensor.
  #checkRegular(value, column) {
    const shape = (item) => {
      if (!isList(item)) return "";
      const shapes = new Set(item.map(shape));
      if (shapes.size > 1) {
        this.#fail(column, "the lists on one level differ", "give all of them the same length, such as [[1, 2], [3, 4]]");
      }
      return `${item.length},${[...shapes][0] ?? ""}`;
    };
    shape(value);
  }

  #dtype() {
    this.#library();
    const token = this.#next();
    if (!(token.text in this.tables.dtypes)) {
      this.#fail(token.column, `${this.#found(token)} is no dtype`,
        `use one of ${Object.keys(this.tables.dtypes).join(", ")}`);
    }
    return token.text;
  }

  #link(kind, name, args, keywords, column) {
    const { end } = this.tokens[this.#place - 1];
    return { kind, name, args, keywords, source: this.text.slice(column, end), column, end, library: "" };
  }

  // ---- values ----

  #number() {
    let sign = 1;
    while (this.#skip("-")) sign = -sign;
    const token = this.#next();
    if (token.kind !== "number") {
      this.#fail(token.column, `expected a whole number, found ${this.#found(token)}`, "such as 2 or -1");
    }
    const digits = token.text.replaceAll("_", "");
    const { number } = this.tables.limits;
    if (digits.length > 20 || BigInt(digits) > BigInt(number)) {
      this.#fail(token.column, "the number is too large", `use at most ${number}`);
    }
    if (this.#at(".") && this.#following.kind === "number") {
      this.#fail(this.#now.column, "the number has a fraction", "use whole numbers");
    }
    return sign * Number(digits) || 0; // no negative zero
  }

  #value() {
    if (this.#at("(")) {
      const items = this.#items(")");
      // As in Python, it is the comma that makes a tuple.
      return items.length === 1 && this.tokens[this.#place - 2].text !== "," ? items[0] : items;
    }
    return this.#at("[") ? this.#items("]") : this.#number();
  }

  #items(closing) {
    const opening = this.#next();
    const { depth, list } = this.tables.limits;
    if (++this.#depth > depth) {
      this.#fail(opening.column, "the brackets are nested too deeply", `use at most ${depth} levels`);
    }
    const items = [];
    while (!this.#skip(closing)) {
      items.push(this.#value());
      if (items.length > list) this.#fail(opening.column, "the list is too long", `use at most ${list} items`);
      if (!this.#skip(",")) {
        this.#need(closing, "separate items by commas");
        break;
      }
    }
    this.#depth--;
    return items;
  }

  #index() {
    const opening = this.#next();
    const hint = "use integers, slices such as 1:, ::2 or ::-1, ..., None, or lists of integers";
    if (this.#at("]")) this.#fail(this.#now.column, "the index is empty", hint);
    const items = [];
    while (!this.#skip("]")) {
      const { column } = this.#now;
      const item = this.#indexItem();
      if (item === "..." && items.includes("...")) this.#fail(column, "an index holds ... only once", hint);
      items.push(item);
      if (!this.#skip(",")) {
        this.#need("]", hint);
        break;
      }
    }
    return this.#link("index", "[]", items, {}, opening.column);
  }

  #indexItem() {
    if (this.#skip("...")) return "...";
    this.#library();
    if (["None", "newaxis"].includes(this.#now.text)) {
      this.#next();
      return null;
    }
    const { column } = this.#now;
    if (this.#at("[")) {
      const items = this.#items("]");
      this.#checkRegular(items, column);
      return items;
    }
    const parts = [this.#at(":") ? null : this.#number()];
    if (!this.#at(":")) return parts[0];
    while (this.#skip(":")) {
      if (parts.length === 3) this.#fail(this.#now.column - 1, "a slice has at most two colons", "start:stop:step");
      const bare = this.#at(":") || this.#at(",") || this.#at("]");
      const { column: at } = this.#now;
      parts.push(bare ? null : this.#number());
      if (parts.length === 3 && parts[2] === 0) this.#fail(at, "the step of a slice is never 0", "such as ::2 or ::-1");
    }
    const [start, stop = null, step = null] = parts;
    return { start, stop, step };
  }
}

export const isProperty = (row) => !row.use.includes("(");

// The name and kind of the argument at a place; a row with a star takes one list or several numbers.
function positional(row, place) {
  const [name, kind] = row.parameters[place] ?? row.parameters.at(-1) ?? ["the argument", "either"];
  if (row.star) return [row.star, place === 0 ? "either" : "int"];
  return [name, kind];
}

const kindOf = (row, name) => row.parameters.find(([one]) => one === name)[1];

// The links of a chain; it may also begin with one of the given names.
export const parse = (text, tables, names = []) => new Reader(text, names, tables).chain();

// ---- what was meant by a name ----

// Ratcliff and Obershelp's measure, as Python's difflib has it: twice the matching characters over all of them.
function likeness(a, b) {
  const matching = (x, y) => {
    let best = [0, 0, 0];
    for (let i = 0; i < x.length; i++) {
      for (let j = 0; j < y.length; j++) {
        let k = 0;
        while (i + k < x.length && j + k < y.length && x[i + k] === y[j + k]) k++;
        if (k > best[2]) best = [i, j, k];
      }
    }
    const [i, j, k] = best;
    return k === 0 ? 0 : k + matching(x.slice(0, i), y.slice(0, j)) + matching(x.slice(i + k), y.slice(j + k));
  };
  return a.length + b.length ? (2 * matching(a, b)) / (a.length + b.length) : 1;
}

// The operation that a misspelt name is likely to mean; "" where none is near.
export function nearestName(name, tables) {
  const scored = Object.keys(tables.steps).map((one) => [likeness(one, name), one]).filter(([score]) => score >= 0.6);
  scored.sort(([a, x], [b, y]) => b - a || (x < y ? 1 : -1));
  return scored.length ? scored[0][1] : "";
}

// What to write instead of a name that is not in the table.
function nearest(name, tables) {
  const close = nearestName(name, tables);
  return close ? `did you mean ${tables.steps[close].use}?` : `use one of ${Object.keys(tables.steps).join(", ")}`;
}
