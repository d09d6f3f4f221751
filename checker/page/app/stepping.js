// A model stepped through by hand: the page of a run, where every enabled step can be taken, from any of its states.

import { change, open, step } from "./app.js";
import { classes, html } from "./dom.js";

const TOKEN = new URLSearchParams(location.search).get("token");
const branches = [];
let now = JSON.parse(document.getElementById("data").textContent)[0];
let said = null;
let busy = false;

async function ask(what, path) {
  const answer = await fetch(what, { method: "POST", headers: { "X-Token": TOKEN, "Content-Type": "application/json" }, body: JSON.stringify({ path }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text.trim() || `the server says ${answer.status}`);
  return text;
}

// Follow a path of choices and show its state after `at` steps.
async function follow(path, at) {
  if (busy) return;
  busy = true;
  try {
    const found = JSON.parse(await ask("/run", path));
    remember(path);
    now = found;
    said = null;
  } catch (error) {
    said = error.message;
  }
  busy = false;
  change(now.run, Math.min(at, now.path.length));
}

// A run that is left for another is kept, unless the new one goes on from it.
function remember(path) {
  const isPrefix = (a, b) => a.every((place, i) => b[i] === place);
  if (now.path.length && !isPrefix(now.path, path) && !branches.some((old) => isPrefix(now.path, old.path))) {
    branches.push({ path: now.path, labels: now.run.steps.map((one) => one.label) });
  }
  for (let i = branches.length - 1; i >= 0; i -= 1) if (isPrefix(branches[i].path, path)) branches.splice(i, 1);
}

function panel(run, at) {
  const choices = now.choices[at] || [];
  const taken = now.path[at];
  const rows = choices.map((label, place) =>
    html("li", { class: classes(place === taken && "taken") },
      html("button", { class: "plain", onclick: () => (place === taken ? follow(now.path, at + 1) : follow([...now.path.slice(0, at), place], at + 1)) }, label),
      place === taken ? html("span", { class: "chip now" }, "taken") : taken !== undefined ? html("span", { class: "chip muted" }, "branch") : null));
  return [
    said && html("p", { class: "chip bad" }, said),
    choices.length ? html("ol", { class: "others choices" }, rows) : html("p", { class: "muted" }, "Nothing is enabled within the bounds."),
    html("p", { class: "actions" },
      html("button", { disabled: !now.path.length, onclick: () => follow(now.path.slice(0, -1), now.path.length - 1) }, "undo the last step"), " ",
      html("button", { disabled: !now.path.length, onclick: () => save("/trace", "run.json") }, "save as trace"), " ",
      html("button", { disabled: !now.path.length, onclick: () => save("/scenario", "run.txt") }, "save as scenario")),
    branches.length ? html("details", { open: true }, html("summary", {}, "Branches"), html("ul", { class: "others" }, branches.map(branch))) : null,
  ];
}

function branch({ path, labels }) {
  return html("li", {}, html("button", { class: "plain", onclick: () => follow(path, path.length) }, `${path.length} steps, to: ${labels[labels.length - 1]}`));
}

async function save(what, name) {
  try {
    const blob = new Blob([await ask(what, now.path)], { type: "text/plain" });
    const link = html("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    said = null;
  } catch (error) {
    said = error.message;
    change(now.run, step());
  }
}

const wanted = new URLSearchParams(location.hash.slice(1));
const path = (wanted.get("path") || "").split(".").filter(Boolean).map(Number);
open([now.run], { title: "Take a step", panel, address: () => ({ path: now.path.join(".") }) });
if (path.length) follow(path, Number(wanted.get("step") ?? path.length));
