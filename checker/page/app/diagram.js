// The space-time diagram: drawn once for a layout; stepping and highlighting only set classes.

import { eventOf } from "./causality.js";
import { classes, svg } from "./dom.js";
import { placeNames } from "./labels.js";
import { CURVE, NARROWEST, SQUARES, TOP, isLeft } from "./layout.js";
import { bar, cross, head, patterns, rings, shape, square } from "./marks.js";

const MOST_SQUARES = 4;
const RANK = { signal: 0, plain: 1 };

export class Diagram {
  constructor(run, layout, causality, on) {
    Object.assign(this, { run, layout, causality, on });
    this.tight = layout.column < NARROWEST;
    this.names = this.tight ? null : placeNames(run, layout);
    this.packets = new Map();
    this.events = new Map();
    this.bars = [];
    this.ticks = [];
    this.now = svg("rect", { class: "now", y: 0, width: Math.max(6, layout.column * 0.94), height: layout.below - 4, rx: 6 });
    this.element = svg(
      "svg",
      {
        xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${layout.width.toFixed(0)} ${layout.height.toFixed(0)}`,
        width: layout.width.toFixed(0), height: layout.height.toFixed(0), role: "group",
        "aria-label": "Space-time diagram: a line for each process, time to the right", class: classes("diagram", this.tight && "tight"),
      },
      patterns(), this.loop(), this.now, this.ground(), this.fans(), this.chain(), this.waits(), this.arrows(), this.marks(), this.ring(),
    );
  }

  shown(process) {
    return !this.layout.hidden.has(process);
  }

  ground() {
    const { run, layout } = this;
    const last = layout.below - 14;
    const found = [svg("rect", { x: layout.end, y: TOP, width: layout.right - layout.end, height: last - TOP, class: "beyond" })];
    const every = [1, 5, 10, 20, 50, 100].find((n) => n * layout.column >= 24) || 100;
    run.steps.forEach((step, i) => {
      const x = layout.x(i + 1);
      if (layout.column >= 24) found.push(svg("line", { x1: x, y1: TOP, x2: x, y2: last, class: "grid" }));
      const text = (i + 1) % every === 0 || every === 1 ? String(i + 1) : "";
      const tick = svg("g", { class: "tick", onclick: () => this.on.step(i + 1) },
        svg("rect", { x: x - layout.column / 2, y: 2, width: layout.column, height: TOP - 6, class: "hit" }),
        svg("text", { x, y: TOP - 9, "text-anchor": "middle" }, text));
      this.ticks.push(tick);
      found.push(tick);
    });
    found.push(svg("text", { x: layout.end + 4, y: TOP - 9, class: "tick-end" }, "end"));
    for (let process = 1; process <= run.processes; process += 1) found.push(...this.line(process));
    run.steps.forEach((step, i) => {
      if (step.kind !== "joint") return;
      const ys = [layout.y(step.processes[0]), layout.y(step.processes[step.processes.length - 1])];
      found.push(...[-2, 2].map((d) => svg("line", { x1: layout.x(i + 1) + d, y1: ys[0], x2: layout.x(i + 1) + d, y2: ys[1], class: "joint" })));
    });
    return svg("g", { "aria-hidden": "true" }, found);
  }

  line(process) {
    const { run, layout } = this;
    const y = layout.y(process);
    const parts = [];
    let since = 0;
    let down = false;
    const draw = (x1, x2, kind) => parts.push(svg("line", { x1, y1: y, x2, y2: y, class: classes("process", kind, !this.shown(process) && "collapsed") }));
    run.steps.forEach((step, i) => {
      if ((step.kind === "crash" || step.kind === "restart") && step.process === process) {
        draw(since, layout.x(i + 1), down && "down");
        [since, down] = [layout.x(i + 1), step.kind === "crash"];
      }
    });
    parts.push(svg("text", { x: 4, y: y - 20, class: "print-name" }, `process ${process}`));
    draw(since, layout.end, down && "down");
    draw(layout.end, layout.right, "after");
    return parts;
  }

  loop() {
    const { run, layout } = this;
    if (run.loop === null) return null;
    const last = layout.below - 14;
    const [x1, x2, y] = [layout.x(run.loop + 0.5), layout.end, layout.below + 14];
    const steps = run.loop + 1 < run.steps.length ? `steps ${run.loop + 1} to ${run.steps.length} repeat` : `step ${run.loop + 1} repeats`;
    return svg("g", { "aria-hidden": "true" },
      svg("rect", { x: x1, y: TOP, width: x2 - x1, height: last - TOP, class: "loop-ground" }),
      svg("path", { d: `M${x2} ${last}V${y}H${x1}V${last}`, class: "loop-line" }),
      head(x1, y, x1, last, "plain", 0, false),
      svg("text", { x: x2 - 6, y: y - 5, "text-anchor": "end", class: "name small" }, `${steps} for ever`),
    );
  }

  // The copies of a multicast belong together: a light fan, which shows when the message is looked at.
  fans() {
    const { layout } = this;
    this.fan = new Map();
    const byMessage = new Map();
    for (const packet of this.run.packets) {
      if (packet.message && packet.copiedFrom === null && this.shown(packet.sender) && this.shown(packet.to)) {
        const key = `${packet.message} ${packet.sent}`;
        if (!byMessage.has(key)) byMessage.set(key, []);
        byMessage.get(key).push(packet);
      }
    }
    for (const packets of byMessage.values()) {
      if (packets.length < 2) continue;
      const ends = packets.map((packet) => layout.landing(packet)).sort((a, b) => a[1] - b[1] || a[0] - b[0]);
      const points = [layout.start(packets[0]), ...ends].map((p) => p.map((n) => n.toFixed(1)).join(",")).join(" ");
      const element = svg("polygon", { points, class: `fan ink-${packets[0].role}` });
      if (!this.fan.has(packets[0].message)) this.fan.set(packets[0].message, []);
      this.fan.get(packets[0].message).push(element);
    }
    return svg("g", { "aria-hidden": "true" }, [...this.fan.values()]);
  }

  // The causal chain between the two sends of a violation: a broad band along messages and process lines.
  chain() {
    const { run, layout, causality } = this;
    const chain = run.violation ? run.violation.chain : [];
    const points = [];
    chain.forEach((message, i) => {
      const send = causality.send(message);
      if (send === undefined) return;
      points.push(place(send));
      const next = chain[i + 1] && causality.send(chain[i + 1]);
      const at = next && next % 100;
      if (next && at !== send % 100 && causality.delivery(message, at)) points.push(place(causality.delivery(message, at)));
    });
    function place(event) {
      return `${layout.x(Math.floor(event / 100)).toFixed(1)},${layout.y(event % 100)}`;
    }
    if (points.length < 2) return null;
    return svg("g", {}, svg("title", {}, `the causal chain: ${chain.join(", then ")}`), svg("polyline", { points: points.join(" "), class: "chain" }));
  }

  waits() {
    const { run, layout } = this;
    return svg("g", {}, run.bars.filter((one) => this.shown(one.process)).map((one) => {
      const { x1, x2, y } = layout.edges(one);
      const name = one.message || "signal";
      const what = one.held ? `${name} has been taken at ${one.process} and is kept` : `${name} waits at ${one.process}`;
      const until = one.until === null ? "to the end" : `until step ${one.until}`;
      const element = svg("g", { class: "wait", onclick: () => one.packet && this.on.select(`p${one.packet}`) },
        svg("title", {}, `${what}, ${until}`), bar(x1, x2, y, layout.y(one.process), { ...one, name: this.tight ? null : name, height: layout.lane - 3 }));
      this.bars.push({ element, since: one.since, packet: one.packet });
      return element;
    }));
  }

  arrows() {
    const order = this.run.packets.filter((packet) => this.shown(packet.to) && this.shown(packet.sender));
    order.sort((a, b) => (RANK[a.role] ?? 2) - (RANK[b.role] ?? 2) || a.number - b.number);
    return svg("g", {}, order.map((packet) => this.arrow(packet)));
  }

  arrow(packet) {
    const { layout } = this;
    const [x1, y1] = layout.start(packet);
    const [x2, y2] = layout.landing(packet);
    const waits = packet.waitsAfter !== null;
    const hollow = isLeft(packet) || packet.role === "signal";
    const gap = waits || packet.message === null ? 4.5 : packet.received !== null || packet.lost !== null ? 7 : 1;
    const [bx, by] = y1 === layout.y(packet.to) && packet.copiedFrom === null ? [(x1 + x2) / 2, y1 - 2 * CURVE] : [x1, y1];
    const d = by === y1 ? `M${x1.toFixed(1)} ${y1}L${x2.toFixed(1)} ${y2}` : `M${x1} ${y1}Q${bx} ${by} ${x2} ${y2}`;
    const name = this.names && this.names.inTransit.get(packet.number);
    const label = aboutPacket(packet);
    const element = svg("g",
      {
        class: classes("packet", `role-${packet.role}`, isLeft(packet) && "left"), role: "button", tabindex: "-1", "aria-label": label,
        onclick: () => this.on.select(`p${packet.number}`), onpointerenter: () => this.on.look(`p${packet.number}`), onpointerleave: () => this.on.look(null),
      },
      svg("title", {}, label), svg("path", { d, class: "hit" }), svg("path", { d, class: `shaft ink-${packet.role}` }),
      head(bx, by, x2, y2, packet.role, gap, hollow),
      name && svg("text", { x: name.x, y: name.y, class: `name ink-${packet.role}` }, packet.message),
      waits && svg("circle", { cx: x2, cy: y2, r: 3.4, class: `mark hollow ink-${packet.role}` }),
      packet.lost !== null && !waits && cross(x2, y2, 4.5, "fault"),
    );
    this.packets.set(packet.number, element);
    return element;
  }

  marks() {
    const { run, layout } = this;
    return svg("g", {}, run.happenings.map((happening, i) => {
      if (!this.shown(happening.process)) return null;
      const [x, y] = [layout.x(happening.step), layout.y(happening.process)];
      const event = eventOf(happening.step, happening.process);
      const isDelivery = happening.shape === "delivery";
      const squares = happening.delivered.slice(0, MOST_SQUARES).map(([, role], k) => square(x + SQUARES * (k + (isDelivery ? 0 : 1)), y, role));
      const role = happening.delivered.length && isDelivery ? happening.delivered[0][1] : happening.role;
      const name = this.names && this.names.marks[i];
      const step = run.steps[happening.step - 1];
      const label = `step ${happening.step}: ${step.label}`;
      const element = svg("g",
        {
          class: "event", role: "button", tabindex: "-1", "aria-label": label, onclick: () => this.on.select(`e${happening.step}.${happening.process}`),
          onpointerenter: () => this.on.look(`e${happening.step}.${happening.process}`), onpointerleave: () => this.on.look(null),
        },
        svg("title", {}, label), svg("circle", { cx: x, cy: y, r: 13, class: "hit" }), shape(happening.shape, x, y, happening.role), squares,
        name && svg("text", { x: name.x, y: name.y, class: `name ink-${role}` }, happening.text),
        happening.caption && !this.tight && svg("text", { x, y: y - 12 - (happening.text ? 15 : 0), "text-anchor": "middle", class: "caption" }, shortened(happening.caption, layout.column)),
        step.kind === "duplicate" && this.twice(step),
      );
      if (!this.events.has(event)) this.events.set(event, []);
      this.events.get(event).push(element);
      return element;
    }));
  }

  // Where a packet on its way is duplicated.
  twice(step) {
    const [x, y] = this.layout.onWay(this.layout.packet(step.taken), this.run.steps.indexOf(step) + 1);
    return [svg("circle", { cx: x, cy: y, r: 8, class: "mark hollow fault" }), svg("text", { x, y: y + 4, "text-anchor": "middle", class: "digit fault" }, "2")];
  }

  ring() {
    const ring = this.run.violation && this.run.violation.ring;
    if (!ring || !this.shown(ring[1])) return null;
    this.ringed = svg("g", { class: "violated-here", "aria-hidden": "true" }, rings(this.layout.x(ring[0]), this.layout.y(ring[1])));
    return this.ringed;
  }

  // Show the state after `step` steps: what comes later is faint.
  showStep(step) {
    const { run, layout } = this;
    this.now.setAttribute("x", (layout.x(step || 0.5) - Math.max(6, layout.column * 0.94) / 2).toFixed(1));
    this.now.classList.toggle("start", step === 0);
    for (const [number, element] of this.packets) {
      const packet = run.packets[number - 1];
      const ended = packet.received ?? packet.lost;
      element.classList.toggle("later", packet.sent > step);
      element.classList.toggle("flying", packet.sent <= step && (ended === null || ended > step) && step < run.steps.length);
    }
    for (const [event, elements] of this.events) {
      for (const element of elements) {
        element.classList.toggle("later", Math.floor(event / 100) > step);
        element.classList.toggle("current", Math.floor(event / 100) === step);
      }
    }
    for (const one of this.bars) one.element.classList.toggle("later", one.since > step + 0.5);
    this.ticks.forEach((tick, i) => tick.classList.toggle("current", i + 1 === step));
    if (this.ringed) this.ringed.classList.toggle("later", run.violation.ring[0] > step);
  }

  // Light the causal past and future of what is looked at: null for nothing.
  light(seen) {
    const { run, causality } = this;
    this.element.classList.toggle("lit", seen !== null);
    for (const [number, element] of this.packets) {
      const packet = run.packets[number - 1];
      const send = causality.send(packet.message);
      const delivery = causality.delivery(packet.message, packet.to);
      mark(element, seen && {
        self: seen.packet === number || (seen.message !== null && seen.message === packet.message),
        past: seen.past.has(send) && (seen.past.has(delivery) || delivery === seen.at),
        open: seen.past.has(send) && !seen.past.has(delivery) && delivery !== seen.at,
        future: (seen.future.has(send) || seen.at === send) && seen.future.has(delivery),
      });
    }
    for (const [event, elements] of this.events) {
      for (const element of elements) mark(element, seen && { self: event === seen.at, past: seen.past.has(event), open: false, future: seen.future.has(event) });
    }
    for (const [message, elements] of this.fan) {
      for (const element of elements) element.classList.toggle("seen", Boolean(seen) && seen.message === message);
    }
    for (const one of this.bars) {
      const packet = one.packet && run.packets[one.packet - 1];
      one.element.classList.toggle("dim", Boolean(seen) && !(packet && packet.message === seen.message));
    }
  }
}

export function aboutPacket(packet) {
  const what = packet.message === null ? "signal" : packet.message;
  const found = [`${what} from ${packet.sender} to ${packet.to}: ${packet.copiedFrom === null ? "sent" : "duplicated"} in step ${packet.sent}`];
  if (packet.waitsAfter !== null) found.push(`has to wait after step ${packet.waitsAfter}`);
  if (packet.lost !== null) found.push(`lost in step ${packet.lost}`);
  else if (packet.received !== null) found.push(`received in step ${packet.received}`);
  else found.push("not received");
  return found.join(", ");
}

function mark(element, seen) {
  const list = element.classList;
  list.toggle("self", Boolean(seen && seen.self));
  list.toggle("in-past", Boolean(seen && !seen.self && seen.past));
  list.toggle("in-past-open", Boolean(seen && !seen.self && seen.open));
  list.toggle("in-future", Boolean(seen && !seen.self && seen.future));
  list.toggle("dim", Boolean(seen && !seen.self && !seen.past && !seen.open && !seen.future));
}

function shortened(text, column) {
  const most = Math.max(4, Math.floor(column / 6.8));
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
