// The legend below the diagram: only what the diagram shows.

import { html, svg } from "./dom.js";
import { isLeft } from "./layout.js";
import { bar, cross, head, rings, shape, square } from "./marks.js";

const STEPS = {
  internal: "step of a process by itself",
  joint: "step of all processes together",
  crash: "crash",
  restart: "restart in the initial state",
};
const OFFENDERS = {
  CausalOrder: "delivered too early",
  Delivery: "can never be delivered",
  NoNeedlessDelay: "held back although it could be delivered",
  Minimality: "the message that the wrong fact is about",
  Integrity: "delivered twice",
};

export function legend(run) {
  const shapes = new Set(run.happenings.map((happening) => happening.shape));
  const entries = [[shape("send", 22, 10, "plain"), "send"], [[square(22, 10, "plain")], "delivery"]];
  if (shapes.has("arrival")) entries.push([shape("arrival", 22, 10, "plain"), "arrival without a delivery"]);
  if (run.packets.some((packet) => packet.message === null)) entries.push([arrow("signal", true), "signal: a packet of the protocol itself"]);
  for (const [kind, words] of Object.entries(STEPS)) if (shapes.has(kind)) entries.push([shape(kind, 22, 10, "plain"), words]);
  if (run.bars.some((one) => !one.held)) entries.push([sample(false), "has arrived and waits for its delivery condition"]);
  if (run.bars.some((one) => one.held)) entries.push([sample(true), "has been taken and is kept until its delivery"]);
  if (run.packets.some((packet) => packet.lost)) entries.push([[cross(22, 10, 4.5, "fault")], "a packet is lost"]);
  if (run.packets.some((packet) => isLeft(packet) && packet.message)) entries.push([[svg("g", { class: "left" }, arrow("plain", true))], "still in transit when the run ends"]);
  if (run.violation) entries.push(...violated(run.violation));
  return entries.map(([marks, words]) => html("span", { class: "entry" }, svg("svg", { width: 44, height: 20, class: "diagram", "aria-hidden": "true" }, marks), words));
}

function violated(violation) {
  const found = [];
  if (violation.message) found.push([arrow("offender"), `${violation.message}: ${OFFENDERS[violation.property] || "the message that this is about"}`]);
  if (violation.before) found.push([arrow("earlier"), `${violation.before}: should have been delivered before`]);
  if (violation.chain.length > 1) found.push([[svg("polyline", { points: "4,10 40,10", class: "chain" })], "the causal chain between their sends"]);
  if (violation.ring) found.push([rings(22, 10).slice(0, 1), `here ${violation.property} is violated`]);
  return found;
}

function arrow(role, hollow = false) {
  return [svg("path", { d: "M3 10L36 10", class: `shaft ink-${role}` }), head(3, 10, 41, 10, role, 0, hollow)];
}

function sample(held) {
  return bar(4, 40, 3, 3, { role: "plain", held, until: null, lost: false, name: null }).slice(1);
}
