// What stands beside the diagram: the step, what is selected, the properties, what else could have happened, all steps.

import { aboutPacket } from "./diagram.js";
import { classes, html } from "./dom.js";
import { render, same } from "./values.js";

const OUTLOOKS = {
  now: ["violates at once", "bad"],
  later: ["a violation can still follow", "open"],
  never: ["no violation can follow", "good"],
  unknown: ["not known", "muted"],
};
const STATUS = {
  required: ["required", "good"],
  redundant: ["redundant", "open"],
  missing: ["missing", "bad"],
  needed: ["required", "muted"],
};

export function stateAt(run, step) {
  return step === 0 ? run.atStart : run.steps[step - 1];
}

// The place of each process's state after `step` steps, what it was before that step, and whether it is down.
export function statesAt(run, step) {
  const found = run.initial.map((state) => ({ state, before: state, down: false, acted: false }));
  for (let i = 0; i < step; i += 1) {
    for (const process of found) process.acted = false;
    for (const { process, state, down } of run.steps[i].states) {
      found[process - 1] = { state, before: found[process - 1].state, down, acted: true, restarted: run.steps[i].kind === "restart" };
    }
  }
  return found;
}

export function stepPanel(run, step, goTo) {
  if (step === 0) return [html("p", { class: "lead" }, "The initial state: nothing has happened yet."), note(run)];
  const now = run.steps[step - 1];
  const delivered = now.delivered.map(([message, at]) => `${message} at ${at}`);
  const kind = { send: "sends", receive: "receives" }[now.kind];
  return [
    html("p", { class: "lead" }, now.label),
    now.alternative ? html("p", { class: "muted" }, `alternative ${now.alternative} of the model's steps`) : null,
    html("p", { class: "facts" },
      kind === "sends" ? `transmits ${count(now.packets.length, "packet")}` : null,
      delivered.length ? html("span", {}, "delivers ", html("b", {}, delivered.join(", "))) : now.kind === "receive" ? "delivers nothing" : null,
    ),
    statementList(run, now.ran),
    waitingList(run, now, goTo),
    note(run),
  ];
}

function note(run) {
  return run.notExecuted ? html("p", { class: "note" }, `Statements, other steps and what only the model tells are not shown: ${run.notExecuted}.`) : null;
}

function statementList(run, ran) {
  if (!ran.length) return null;
  const rows = ran.map(([label, changed, waited, texts]) =>
    html("li", { class: changed === false ? "idle" : "" },
      html("span", { class: "label" }, label),
      html("span", { class: "code" }, run.values[texts].map((text) => html("code", {}, text))),
      waited ? html("span", { class: "chip bad" }, "waits") : changed === false ? html("span", { class: "chip muted" }, "no change") : null,
    ));
  return html("details", { open: true }, html("summary", {}, "Statements of the paper that ran"), html("ol", { class: "statements" }, rows));
}

function waitingList(run, now, goTo) {
  if (!now.waiting.length && !now.held.length) return null;
  const packets = now.waiting.map(([number, ran]) => {
    const packet = run.packets[number - 1];
    const why = ran.join(", ");
    return html("li", {}, link(`${packet.message || "signal"} at ${packet.to}`, () => goTo({ selected: `p${number}` })), why ? html("span", { class: "muted" }, ` waits at ${why}`) : " has to wait");
  });
  const held = now.held.map(([message, at]) => html("li", {}, `${message} at ${at}`, html("span", { class: "muted" }, " has been taken and is kept until its delivery")));
  return html("div", { class: "waiting" }, html("h3", {}, "Waiting after this step"), html("ul", {}, packets, held));
}

export function selectionPanel(run, view, goTo) {
  if (!view.selected) return [html("p", { class: "muted" }, "Choose a message or an event in the diagram: what it carries, and its causal past and future.")];
  const close = html("button", { class: "plain clear", onclick: () => goTo({ selected: null }), title: "Escape" }, "clear");
  if (view.selected.startsWith("e")) return [...eventPart(run, view.selected, goTo), close];
  const packet = run.packets[Number(view.selected.slice(1)) - 1];
  const size = [packet.units === null ? null : count(packet.units, "unit"), packet.bytes === null ? null : count(packet.bytes, "byte")].filter(Boolean).join(", ");
  const siblings = run.packets.filter((other) => other.message && other.message === packet.message && other !== packet);
  return [
    html("p", { class: "lead" }, `${packet.message || "signal"} `, html("span", { class: "muted" }, `${packet.sender} → ${packet.to}`), packet.role !== "plain" && packet.message ? html("span", { class: `chip role-${packet.role}` }, roleText(run, packet)) : null),
    html("p", { class: "muted" }, aboutPacket(packet)),
    html("p", {}, "Steps: ", link(`sent in ${packet.sent}`, () => goTo({ step: packet.sent })), packet.received ? [", ", link(`received in ${packet.received}`, () => goTo({ step: packet.received }))] : null),
    siblings.length ? html("p", {}, "Other copies: ", siblings.map((other) => [link(`to ${other.to}`, () => goTo({ selected: `p${other.number}` })), " "])) : null,
    html("h3", {}, "Control information", size ? html("span", { class: "muted" }, ` ${size}`) : null),
    html("div", { class: "value" }, render(run.values[packet.control])),
    itemTable(run, packet.items, "Why each item is there"),
    packet.message ? lights() : null,
    close,
  ];
}

function roleText(run, packet) {
  return packet.role === "earlier" ? "should have been delivered before" : { CausalOrder: "delivered too early", Delivery: "can never be delivered" }[run.violation.property] || "what the violation is about";
}

function eventPart(run, selected, goTo) {
  const [step, process] = selected.slice(1).split(".").map(Number);
  return [
    html("p", { class: "lead" }, run.steps[step - 1].label, html("span", { class: "muted" }, ` at process ${process}`)),
    html("p", {}, link(`Go to step ${step}`, () => goTo({ step }))),
    lights(),
  ];
}

// What the light in the diagram means while something is selected.
function lights() {
  const sign = (kind, words) => html("span", { class: "light" }, html("i", { class: kind }), words);
  return html("p", { class: "lights" }, sign("past", "its causal past"), sign("open", "sent in its past, not delivered in it"), sign("future", "its causal future"));
}

export function itemTable(run, items, title) {
  if (!items) return null;
  const bare = items.every(([, , status]) => status === "needed");
  const rows = items.map(([message, at, status, why]) =>
    html("tr", {},
      html("td", { class: "item" }, `${message} → ${at}`),
      html("td", {}, html("span", { class: `chip ${STATUS[status][1]}` }, STATUS[status][0]), " ", html("span", { class: "why" }, run.values[why]))));
  const heading = bare && items.length ? "What the history requires here" : title;
  const body = items.length ? html("table", { class: "items" }, html("tbody", {}, rows)) : html("p", { class: "muted" }, "Nothing is outstanding here, and nothing is asserted.");
  return html("details", { open: true, class: "why" }, html("summary", {}, heading), body, bare && items.length ? html("p", { class: "muted" }, "The model does not say which of these its control information asserts.") : null);
}

export function statePanel(run, view, goTo) {
  const states = statesAt(run, view.step);
  return states.map(({ state, before, down, acted, restarted }, i) => {
    const process = i + 1;
    if (view.hidden.has(process)) return null;
    const value = run.values[state];
    const old = run.values[before];
    const items = (acted ? run.steps[view.step - 1].items : lastItems(run, process, view.step))[process];
    const changes = acted && !down && !restarted && !same(value, old);
    const body = down ? html("p", { class: "muted" }, "down: its state is lost") : value === null ? html("p", { class: "muted" }, "no state is recorded") : changes ? render(value, old) : render(value);
    return html("section", { class: classes("state", acted && "acted"), "aria-label": `process ${process}` },
      html("h3", {}, `process ${process}`, acted ? html("span", { class: "chip now" }, changes ? "changed in this step" : "took this step") : null),
      html("div", { class: "value" }, body), items && items.length ? html("details", { class: "why" }, html("summary", {}, outline(items)), itemRows(run, items)) : null);
  });
}

function lastItems(run, process, step) {
  for (let i = step; i > 0; i -= 1) if (run.steps[i - 1].items[process]) return run.steps[i - 1].items;
  return run.atStart.items;
}

function outline(items) {
  const counts = new Map();
  for (const [, , status] of items) counts.set(STATUS[status][0], (counts.get(STATUS[status][0]) || 0) + 1);
  return `what must still reach whom: ${[...counts].map(([status, number]) => `${number} ${status}`).join(", ")}`;
}

function itemRows(run, items) {
  return html("table", { class: "items" }, html("tbody", {}, items.map(([message, at, status, why]) =>
    html("tr", {}, html("td", { class: "item" }, `${message} → ${at}`), html("td", {}, html("span", { class: `chip ${STATUS[status][1]}` }, STATUS[status][0]), " ", html("span", { class: "why" }, run.values[why]))))));
}

export function propertyPanel(run, step, goTo) {
  if (!run.properties.length) return [html("p", { class: "muted" }, "No property is recorded.")];
  const rows = run.properties.map(({ name, meaning }, k) => {
    const truths = [run.atStart, ...run.steps].map((state) => state.truths[k]);
    const now = truths[step];
    const first = truths.indexOf(false);
    return html("tr", { class: now === false ? "broken" : "" },
      html("th", { scope: "row", title: meaning }, name),
      html("td", {}, now === true ? html("span", { class: "chip good" }, "✓ holds") : now === false ? html("span", { class: "chip bad" }, "✗ violated") : html("span", { class: "chip muted" }, "not judged")),
      html("td", {}, first >= 0 ? html("span", {}, "first violated ", link(first ? `after step ${first}` : "initially", () => goTo({ step: first }))) : null),
    );
  });
  return [html("table", { class: "properties" }, html("tbody", {}, rows)), meaningOf(run)];
}

function meaningOf(run) {
  const told = run.properties.filter(({ meaning }) => meaning);
  return told.length ? html("details", {}, html("summary", {}, "What they say"), html("dl", {}, told.map(({ name, meaning }) => [html("dt", {}, name), html("dd", {}, meaning)]))) : null;
}

export function othersPanel(run, step) {
  const { others, more } = stateAt(run, step);
  const next = run.steps[step];
  const rows = others.map(([label, outlook, states]) => {
    const [text, kind] = OUTLOOKS[outlook] || [null, null];
    const title = states ? `${states} states looked at` : null;
    return html("li", {}, html("span", { class: "other" }, run.values[label]), text ? html("span", { class: `chip ${kind}`, title }, text) : null);
  });
  return [
    next ? html("p", {}, "The run goes on with ", html("b", {}, next.label), ".") : html("p", {}, "The run ends here."),
    rows.length ? html("ul", { class: "others" }, rows) : html("p", { class: "muted" }, run.notExecuted ? "Not known: the model was not executed again." : "Nothing else is enabled within the bounds."),
    more ? html("p", { class: "muted" }, `and ${more} more`) : null,
    run.sendsLeftOut && !run.notExecuted ? html("p", { class: "muted" }, "Sends are left out in a run as long as this.") : null,
  ];
}

export function stepList(run, step, goTo) {
  const bad = run.properties.length ? (i) => stateAt(run, i).truths.some((truth) => truth === false) : () => false;
  const entry = (i, label) => html("li", { class: classes(bad(i) && "broken"), "aria-current": i === step ? "step" : null },
    html("button", { class: "plain", onclick: () => goTo({ step: i }) }, html("span", { class: "number" }, String(i)), label));
  return html("ol", { class: "steps" }, entry(0, "initial state"), run.steps.map((one, i) => entry(i + 1, one.label)));
}

export function story(run, goTo) {
  const meaning = run.violation && run.violation.meaning;
  const told = run.story.map(({ text, step }) => html("li", {}, text, " ", step ? html("button", { class: "plain to-step", onclick: () => goTo({ step }) }, `step ${step}`) : null));
  return [
    run.chosen.map(([id, question, answer]) => html("p", { class: "wide" }, html("b", {}, id), ` reads the paper otherwise than usual: ${question} Here: ${answer}.`)),
    meaning ? html("p", { class: "wide" }, html("b", {}, `${run.violation.property}: `), meaning) : null,
    told.length ? html("ol", { class: "story" }, told) : null,
  ];
}

function link(text, onclick) {
  return html("button", { class: "plain", onclick }, text);
}

function count(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
