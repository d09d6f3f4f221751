// Runs to look at: what is shown follows from the view, and the view is in the address.

import { exists, read, write } from "./address.js";
import { Causality, eventOf } from "./causality.js";
import { Diagram } from "./diagram.js";
import { html, replace } from "./dom.js";
import { build } from "./frame.js";
import { Layout, fittingColumn, usualColumn } from "./layout.js";
import { legend } from "./legend.js";
import { othersPanel, propertyPanel, selectionPanel, statePanel, stateAt, stepList, stepPanel, story } from "./panels.js";
import { picture, savePng, saveSvg } from "./saving.js";

let parts = {};
let runs = [];
let more = null;
let view = null;
let drawn = null;

// Show runs. `extension`, if given, has `panel(run, step)`, what stands in place of the other steps, its `title`, and
// `address`, what is to be kept in the address besides the view.
export function open(found, extension = null) {
  runs = found;
  more = extension;
  view = read(runs);
  const act = {
    goTo, zoomBy, fit, changeTheme,
    stepBy: (by) => goTo({ step: view.step + by }), toTheEnd: () => goTo({ step: run().steps.length }),
    saveAsSvg: () => save(saveSvg), saveAsPng: () => save(savePng),
  };
  parts = build(act, runs.map((one) => one.called), view.trace, more);
  listen();
  update(null);
}

// Show another run in place of the only one, after `step` steps.
export function change(found, step) {
  runs = [found];
  view = { ...view, step, selected: exists(found, view.selected) ? view.selected : null, zoom: 1 };
  update(null);
  write(view, runs, more.address());
}

export function step() {
  return view.step;
}

function run() {
  return runs[view.trace];
}

function goTo(changes) {
  const before = view;
  view = { ...view, ...changes };
  if (view.trace !== before.trace) view = { ...view, step: run().steps.length, selected: null, zoom: 1, hidden: new Set() };
  view.step = Math.max(0, Math.min(run().steps.length, view.step));
  update(before);
  write(view, runs, more ? more.address() : {});
}

function update(before) {
  if (before === null || view.trace !== before.trace) showTrace();
  if (before === null || view.trace !== before.trace || view.zoom !== before.zoom || view.hidden !== before.hidden) draw();
  if (view.theme) document.documentElement.dataset.theme = view.theme;
  else delete document.documentElement.dataset.theme;
  showStep(before);
  showSelection(before === null || before.selected !== view.selected);
}

function showTrace() {
  const now = run();
  document.title = now.violation ? `${now.violation.property} violated: ${now.called}` : now.called;
  replace(parts.heading,
    html("h1", {}, now.title || now.called),
    now.violation && html("p", { class: "verdict" }, html("span", { class: "chip bad" }, `${now.violation.property} is violated`), " ", html("span", {}, now.violation.explanation)),
    html("p", { class: "muted" }, [now.model, ...now.readings].join(" "), html("br"), now.system, html("br"), `${now.steps.length} steps, found by ${now.source}; ${now.tool}`),
  );
  parts.story.hidden = !now.story.length && !now.chosen.length;
  parts.storyTitle.textContent = now.violation ? "What goes wrong" : "What is read here";
  replace(parts.storyBody, story(now, goTo));
  parts.slider.max = now.steps.length;
  drawStrip();
}

function drawStrip() {
  const now = run();
  const all = Array.from({ length: now.steps.length + 1 }, (_, i) => stateAt(now, i).truths);
  const cells = all.map((truths) => html("i", { class: truths.includes(false) ? "bad" : truths.includes(true) ? "good" : "" }));
  replace(parts.strip, cells);
  parts.strip.hidden = !all.some((truths) => truths.includes(false)) || now.steps.length > 400;
}

function draw() {
  const now = run();
  const room = Math.max(320, parts.scroll.clientWidth - parts.names.offsetWidth);
  const layout = new Layout(now, Math.max(1.2, usualColumn(now, room) * view.zoom), view.hidden);
  const causality = new Causality(now);
  const diagram = new Diagram(now, layout, causality, { step: (step) => goTo({ step }), select: (selected) => goTo({ selected, step: view.step }), look });
  drawn = { layout, causality, diagram, room };
  replace(parts.canvas, diagram.element);
  const buttons = layout.rows.map((y, i) => html("button",
    { class: "process-name", place: { top: `${y - 14}px` }, "aria-pressed": String(view.hidden.has(i + 1)), title: view.hidden.has(i + 1) ? "show this process" : "collapse this process", onclick: () => toggle(i + 1) },
    `process ${i + 1}`));
  parts.names.style.setProperty("height", `${layout.height}px`);
  replace(parts.names, buttons);
  replace(parts.legend, legend(now));
}

function toggle(process) {
  const hidden = new Set(view.hidden);
  if (!hidden.delete(process) && hidden.size < run().processes - 1) hidden.add(process);
  goTo({ hidden });
}

function showStep(before) {
  const now = run();
  drawn.diagram.showStep(view.step);
  parts.slider.value = view.step;
  const label = view.step ? now.steps[view.step - 1].label : "initial state";
  parts.slider.setAttribute("aria-valuetext", `step ${view.step} of ${now.steps.length}: ${label}`);
  parts.counter.textContent = `step ${view.step} of ${now.steps.length}`;
  parts.first.disabled = parts.back.disabled = view.step === 0;
  parts.last.disabled = parts.next.disabled = view.step === now.steps.length;
  replace(parts.step, stepPanel(now, view.step, goTo));
  replace(parts.properties, propertyPanel(now, view.step, goTo));
  replace(parts.others, more ? more.panel(now, view.step) : othersPanel(now, view.step));
  replace(parts.states, statePanel(now, view, goTo));
  if (before === null || before.trace !== view.trace) replace(parts.list, stepList(now, view.step, goTo));
  parts.list.querySelectorAll("[aria-current]").forEach((entry) => entry.removeAttribute("aria-current"));
  const entry = parts.list.querySelectorAll("li")[view.step];
  entry.setAttribute("aria-current", "step");
  parts.list.scrollTop = Math.max(0, entry.offsetTop - parts.list.clientHeight / 2);
  if (before !== null && before.step !== view.step) parts.said.textContent = `step ${view.step}: ${label}`;
  bringIntoView();
}

function bringIntoView() {
  const { layout } = drawn;
  const [x, width] = [layout.x(view.step || 1), parts.scroll.clientWidth - parts.names.offsetWidth];
  if (x < parts.scroll.scrollLeft + layout.column || x > parts.scroll.scrollLeft + width - 1.5 * layout.column) parts.scroll.scrollLeft = x - width / 2;
}

function showSelection(isNew) {
  drawn.diagram.light(seen(view.selected));
  parts.canvas.querySelectorAll(".selected").forEach((element) => element.classList.remove("selected"));
  const elements = elementsOf(view.selected);
  for (const element of elements) element.classList.add("selected");
  if (!isNew) return;
  replace(parts.selection, selectionPanel(run(), view, goTo));
  parts.selectionCard.classList.toggle("empty", !view.selected);
  if (view.selected && elements.length) parts.said.textContent = elements[0].getAttribute("aria-label");
}

function elementsOf(selected) {
  if (!selected) return [];
  if (selected.startsWith("p")) return [drawn.diagram.packets.get(Number(selected.slice(1)))].filter(Boolean);
  const [step, process] = selected.slice(1).split(".").map(Number);
  return drawn.diagram.events.get(eventOf(step, process)) || [];
}

// The causal past and future of a message's send, or of an event.
function seen(what) {
  if (!what) return null;
  const { causality } = drawn;
  const packet = what.startsWith("p") ? run().packets[Number(what.slice(1)) - 1] : null;
  if (packet && packet.message === null) return { at: null, packet: packet.number, message: null, past: new Set(), future: new Set() };
  const [step, process] = packet ? [] : what.slice(1).split(".").map(Number);
  const at = packet ? causality.send(packet.message) : eventOf(step, process);
  return { at, packet: packet && packet.number, message: packet && packet.message, past: causality.pastOf(at), future: causality.futureOf(at) };
}

function look(what) {
  if (what || !view.selected) drawn.diagram.light(seen(what));
  else drawn.diagram.light(seen(view.selected));
}

function zoomBy(factor) {
  goTo({ zoom: Math.min(8, Math.max(0.005, view.zoom * factor)) });
}

function fit() {
  goTo({ zoom: Math.max(0.005, fittingColumn(run(), drawn.room) / usualColumn(run(), drawn.room)) });
}

function selectNext(by) {
  const packets = run().packets.filter((packet) => drawn.diagram.packets.has(packet.number));
  if (!packets.length) return;
  const here = packets.findIndex((packet) => view.selected === `p${packet.number}`);
  const place = here < 0 ? (by > 0 ? 0 : packets.length - 1) : (here + by + packets.length) % packets.length;
  goTo({ selected: `p${packets[place].number}` });
}

const KEYS = {
  ArrowRight: () => goTo({ step: view.step + 1 }),
  ArrowLeft: () => goTo({ step: view.step - 1 }),
  PageDown: () => goTo({ step: view.step + 10 }),
  PageUp: () => goTo({ step: view.step - 10 }),
  Home: () => goTo({ step: 0 }),
  End: () => goTo({ step: run().steps.length }),
  ArrowDown: () => selectNext(1),
  ArrowUp: () => selectNext(-1),
  n: () => selectNext(1),
  p: () => selectNext(-1),
  Escape: () => goTo({ selected: null }),
  "+": () => zoomBy(1.25),
  "-": () => zoomBy(0.8),
  0: () => goTo({ zoom: 1 }),
  f: () => fit(),
  t: () => changeTheme(),
  "?": () => parts.help.showModal(),
};
const SCROLLING = new Set(["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"]);

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || parts.help.open || !(event.key in KEYS)) return;
  const target = event.target instanceof Element ? event.target : document.body;
  const inDiagram = parts.scroll.contains(target);
  if (target.matches("select, input:not([type=range])") || (target.matches("input") && event.key.length > 1 && event.key !== "Escape")) return;
  if (SCROLLING.has(event.key) && !inDiagram) return;
  event.preventDefault();
  KEYS[event.key]();
}

function changeTheme() {
  const dark = view.theme ? view.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  goTo({ theme: dark ? "light" : "dark" });
}

function save(how) {
  const names = drawn.layout.rows.map((y, i) => ({ text: `process ${i + 1}`, y }));
  drawn.diagram.light(null);
  how(picture(drawn.diagram.element, names), (run().called || "run").replace(/[^\w.-]+/g, "-").slice(0, 60));
  drawn.diagram.light(seen(view.selected));
}

function listen() {
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", () => {
    const before = view;
    view = read(runs);
    if ([...before.hidden].join() === [...view.hidden].join()) view.hidden = before.hidden;
    update(before);
  });
  let waiting = 0;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      draw();
      showStep(view);
      showSelection(false);
    }, 80);
  });
  parts.scroll.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoomBy(event.deltaY < 0 ? 1.15 : 1 / 1.15);
  }, { passive: false });
  let from = null;
  parts.scroll.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && !event.target.closest(".packet, .event, .wait, .tick, button")) from = [event.clientX, event.clientY, parts.scroll.scrollLeft, parts.scroll.scrollTop];
  });
  addEventListener("pointermove", (event) => {
    if (from) [parts.scroll.scrollLeft, parts.scroll.scrollTop] = [from[2] + from[0] - event.clientX, from[3] + from[1] - event.clientY];
  });
  addEventListener("pointerup", () => (from = null));
}
