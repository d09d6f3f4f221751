// Values of a model in the papers' notation: matrices as matrices, sets as entries, records by their names. What differs
// from `before` is marked.

import { classes, html } from "./dom.js";

const NONE = Symbol("nothing before");
const MOST_ON_A_LINE = 36;

export function show(value) {
  if (value === null) return "–";
  if (Array.isArray(value)) return `(${joined(value)})`;
  if (typeof value !== "object") return String(value);
  const kind = kindOf(value);
  if (kind === "set") return `{${joined(value.set)}}`;
  if (kind === "map") return `{${value.map.map(([key, item]) => `${show(key)}: ${show(item)}`).join(", ")}}`;
  if (kind === "text") return Object.values(value)[0];
  return `(${joined(Object.values(value))})`;
}

export function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

// A state or control information as an element; without `before` nothing is marked.
export function render(value, before = NONE) {
  if (kindOf(value) !== "record") return part(value, before);
  const rows = Object.entries(value).map(([name, item]) => {
    const old = before === NONE ? NONE : isRecord(before) && name in before ? before[name] : undefined;
    return html("tr", { class: changed(item, old) && "changed" }, html("th", { scope: "row" }, name), html("td", {}, part(item, old)));
  });
  return html("table", { class: "record" }, html("tbody", {}, rows));
}

function part(value, before) {
  if (isRecord(value)) return render(value, before);
  if (isMatrix(value)) return matrix(value, before);
  if (Array.isArray(value) && value.length > 1 && value.every(isScalar)) return vector(value, before);
  if (kindOf(value) === "set") return entries(value, before);
  if (kindOf(value) === "map") return mapping(value, before);
  if (Array.isArray(value) && value.length && show(value).length > MOST_ON_A_LINE) return list(value, before);
  return leaf(value, before);
}

function leaf(value, before) {
  const text = html("span", { class: classes("leaf", changed(value, before) && "new") }, show(value));
  if (!changed(value, before) || before === undefined || !isScalar(before)) return text;
  return html("span", {}, html("span", { class: "old", "aria-label": `was ${show(before)}` }, show(before)), " ", text);
}

function vector(value, before) {
  const head = value.map((_, i) => html("th", { scope: "col" }, String(i + 1)));
  const cells = value.map((item, i) => cell(item, at(before, i)));
  return html("table", { class: "vector" }, html("thead", {}, html("tr", {}, head)), html("tbody", {}, html("tr", {}, cells)));
}

function matrix(value, before) {
  const head = value[0].map((_, i) => html("th", { scope: "col" }, String(i + 1)));
  const rows = value.map((row, i) =>
    html("tr", {}, html("th", { scope: "row" }, String(i + 1)), row.map((item, j) => cell(item, at(at(before, i), j)))),
  );
  return html("table", { class: "matrix" }, html("thead", {}, html("tr", {}, html("td"), head)), html("tbody", {}, rows));
}

function cell(item, before) {
  const is = changed(item, before);
  const was = is && isScalar(before) ? show(before) : null;
  return html("td", { class: classes(is && "new", item === 0 && "zero"), title: was && `was ${was}` }, show(item));
}

function entries(value, before) {
  const old = kindOf(before) === "set" ? before.set : null;
  const had = new Set(old ? old.map((item) => JSON.stringify(item)) : []);
  const has = new Set(value.set.map((item) => JSON.stringify(item)));
  const marked = before !== NONE && (old || before === undefined);
  const found = value.set.map((item) => entry(item, marked && !had.has(JSON.stringify(item)) ? "new" : ""));
  const gone = (old || []).filter((item) => !has.has(JSON.stringify(item))).map((item) => entry(item, "gone"));
  if (!found.length && !gone.length) return html("span", { class: "leaf" }, "{}");
  return html("ul", { class: "entries" }, found, gone);
}

function entry(item, mark) {
  const word = { new: "added", gone: "removed" }[mark];
  return html("li", { class: mark, title: word, "aria-label": word && `${word}: ${show(item)}` }, show(item));
}

function mapping(value, before) {
  const old = new Map(kindOf(before) === "map" ? before.map.map(([key, item]) => [JSON.stringify(key), item]) : []);
  const rows = value.map.map(([key, item]) => {
    const was = before === NONE ? NONE : old.get(JSON.stringify(key));
    return html("tr", {}, html("th", { scope: "row" }, show(key)), html("td", {}, part(item, was)));
  });
  return rows.length ? html("table", { class: "map" }, html("tbody", {}, rows)) : html("span", { class: "leaf" }, "{}");
}

function list(value, before) {
  const items = value.map((item, i) => html("li", { class: changed(item, at(before, i)) && "new" }, show(item)));
  return html("ol", { class: "entries" }, items);
}

function at(before, i) {
  if (before === NONE) return NONE;
  return Array.isArray(before) ? before[i] : undefined;
}

function changed(value, before) {
  return before !== NONE && !same(value, before);
}

function kindOf(value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return "other";
  const names = Object.keys(value);
  if (names.length === 1) {
    const content = value[names[0]];
    if (names[0] === "set" && Array.isArray(content)) return "set";
    if (names[0] === "map" && Array.isArray(content) && content.every((p) => Array.isArray(p) && p.length === 2)) return "map";
    if ((names[0] === "int" || names[0] === "text") && typeof content === "string") return "text";
  }
  return names.length ? "record" : "other";
}

function isRecord(value) {
  return kindOf(value) === "record";
}

function isScalar(value) {
  return value === null || typeof value !== "object" || (kindOf(value) === "text");
}

function isMatrix(value) {
  return (
    Array.isArray(value) && value.length > 1 && value.every((row) => Array.isArray(row) && row.length > 1 && row.length === value[0].length && row.every((item) => isScalar(item) || show(item).length < 9))
  );
}

function joined(values) {
  const apart = values.length && (values.every(Array.isArray) || values.every((v) => v !== null && typeof v === "object" && !Array.isArray(v)));
  return values.map(show).join(apart ? ", " : ",");
}
