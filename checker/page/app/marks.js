// The marks of a diagram, drawn alike in the picture and in its legend.

import { svg } from "./dom.js";

const SHAPES = {
  send: (x, y, role) => [svg("circle", { cx: x, cy: y, r: 5.5, class: `mark solid ink-${role}` })],
  delivery: () => [],
  arrival: (x, y, role) => [svg("circle", { cx: x, cy: y, r: 4.2, class: `mark hollow ink-${role}` })],
  signal: (x, y) => [svg("circle", { cx: x, cy: y, r: 3.4, class: "mark hollow ink-signal" })],
  internal: (x, y) => [svg("polygon", { points: diamond(x, y, 6.5), class: "mark solid ink-plain" })],
  joint: (x, y) => [svg("polygon", { points: diamond(x, y, 7.5), class: "mark hollow ink-plain" })],
  crash: (x, y) => [cross(x, y, 6, "fault bold")],
  restart: (x, y) => [svg("polygon", { points: `${x - 4},${y - 7} ${x + 8},${y} ${x - 4},${y + 7}`, class: "mark hollow fault" })],
  none: () => [],
};

export function shape(kind, x, y, role) {
  return SHAPES[kind](x, y, role);
}

export function square(x, y, role) {
  return svg("rect", { x: x - 5.5, y: y - 5.5, width: 11, height: 11, rx: 1.5, class: `mark hollow ink-${role}` });
}

export function cross(x, y, size, kind) {
  return svg("path", { d: `M${x - size} ${y - size}l${2 * size} ${2 * size}m${-2 * size} 0l${2 * size} ${-2 * size}`, class: kind });
}

export function rings(x, y) {
  return [10, 14].map((r) => svg("circle", { cx: x, cy: y, r, class: "ring" }));
}

// A wait, or a time that a message is held: a hatched bar below the line, tied to it at both ends.
export function bar(x1, x2, y, line, { role, held, until, lost, name, height = 14 }) {
  const parts = [
    svg("line", { x1: x1 + 0.5, y1: line, x2: x1 + 0.5, y2: y + 3, class: `tie ink-${role}` }),
    until && !lost && svg("line", { x1: x2 - 0.5, y1: line, x2: x2 - 0.5, y2: y + 3, class: `tie ink-${role}` }),
    svg("rect", { x: x1, y, width: Math.max(2, x2 - x1), height, rx: Math.min(3, height / 2), class: `bar ink-${role}`, fill: `url(#${held ? "held" : "wait"}-${role})` }),
    lost && cross(x2, y + height / 2, 4.5, "fault"),
    name && svg("text", { x: x1 + 5, y: y + height - 3.5, class: `name small ink-${role}` }, name),
  ];
  return parts.filter(Boolean);
}

export function head(x1, y1, x2, y2, role, gap, hollow) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const size = { plain: 9.5, signal: 7 }[role] || 11.5;
  const [tx, ty] = [x2 - gap * ux, y2 - gap * uy];
  const [bx, by] = [tx - size * ux, ty - size * uy];
  const half = size * 0.42;
  const points = [[tx, ty], [bx - half * uy, by + half * ux], [bx + half * uy, by - half * ux]];
  return svg("polygon", { points: points.map((p) => p.map((n) => n.toFixed(1)).join(",")).join(" "), class: `head ${hollow ? "hollow" : "solid"} ink-${role}` });
}

// Hatchings of the bars: slanting for waits, level for what is held.
export function patterns() {
  const kinds = [["wait", 7, 2.4, 45], ["held", 4, 1.1, 90]];
  return svg("defs", {}, kinds.flatMap(([kind, size, width, angle]) =>
    ["plain", "offender", "earlier", "signal"].map((role) =>
      svg("pattern", { id: `${kind}-${role}`, width: size, height: size, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${angle})` },
        svg("rect", { width: size, height: size, class: "paper" }),
        svg("rect", { width, height: size, class: `hatch ink-${role}` }),
      ),
    ),
  ));
}

function diamond(x, y, size) {
  return `${x},${y - size} ${x + size},${y} ${x},${y + size} ${x - size},${y}`;
}
