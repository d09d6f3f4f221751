// Where the names of messages stand: beside their mark, where they cross the fewest arrows and bars.

import { LABEL, isLeft } from "./layout.js";

export function placeNames(run, layout) {
  const shown = (process) => !layout.hidden.has(process);
  const near = new Near(2 * layout.column);
  for (const packet of run.packets) {
    if (shown(packet.to) && shown(packet.sender)) near.add("arrows", [...layout.start(packet), ...layout.landing(packet)]);
  }
  for (const bar of run.bars) {
    const { x1, x2, y } = layout.edges(bar);
    if (shown(bar.process)) near.add("bars", [x1, y, x2, y + layout.lane]);
  }
  const marks = run.happenings.map((happening) => {
    if (!happening.text || !shown(happening.process)) return null;
    const ring = run.violation && run.violation.ring;
    const away = ring && ring[0] === happening.step && ring[1] === happening.process ? 15 : 7;
    const spots = around(happening.text, layout.x(happening.step), layout.y(happening.process), away, happening.shape === "send");
    return best(happening.caption ? spots.slice(0, 1) : spots, near);
  });
  const inTransit = new Map();
  for (const packet of run.packets) {
    if (packet.message && shown(packet.to) && isLeft(packet)) {
      inTransit.set(packet.number, best(around(packet.message, ...layout.landing(packet), 4, false).slice(0, 2), near));
    }
  }
  return { marks, inTransit };
}

// Arrows and bars, [x1, y1, x2, y2], found by the part of the picture, from left to right, that they cross.
class Near {
  constructor(width) {
    this.width = width;
    this.parts = { arrows: new Map(), bars: new Map() };
  }

  add(kind, segment) {
    const [first, last] = [segment[0], segment[2]].map((x) => Math.floor(x / this.width)).sort((a, b) => a - b);
    for (let place = first; place <= last; place += 1) {
      if (!this.parts[kind].has(place)) this.parts[kind].set(place, []);
      this.parts[kind].get(place).push(segment);
    }
  }

  // How many cross a box; one that lies in two parts may count twice, in the same way for every box there.
  count(kind, box, meets) {
    let found = 0;
    for (let place = Math.floor(box[0] / this.width); place <= Math.floor(box[2] / this.width); place += 1) {
      for (const segment of this.parts[kind].get(place) || []) if (meets(segment, box)) found += 1;
    }
    return found;
  }
}

function around(text, x, y, away, toTheLeft) {
  const width = 0.62 * LABEL * text.length;
  const sides = toTheLeft ? [x - away - width, x + away] : [x + away, x - away - width];
  return sides.flatMap((side) => [y - away - 2, y + away + LABEL - 3].map((height) => ({ x: side, y: height, width })));
}

function best(spots, near) {
  let found = spots[0];
  let least = Infinity;
  for (const spot of spots) {
    const box = [spot.x, spot.y - LABEL + 2, spot.x + spot.width, spot.y + 2];
    const disturbs = 5 * near.count("bars", box, overlap) + near.count("arrows", box, crosses);
    if (disturbs < least) [found, least] = [spot, disturbs];
  }
  return found;
}

function overlap(a, b) {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

function crosses(segment, box) {
  const x1 = segment[0], y1 = segment[1], x2 = segment[2], y2 = segment[3];
  if (Math.max(y1, y2) < box[1] || Math.min(y1, y2) > box[3]) return false;
  const left = Math.max(Math.min(x1, x2), box[0]);
  const right = Math.min(Math.max(x1, x2), box[2]);
  if (left > right) return false;
  if (x1 === x2) return Math.min(y1, y2) <= box[3] && Math.max(y1, y2) >= box[1];
  const slope = (y2 - y1) / (x2 - x1);
  const heights = [y1 + (left - x1) * slope, y1 + (right - x1) * slope];
  return Math.min(...heights) <= box[3] && Math.max(...heights) >= box[1];
}
