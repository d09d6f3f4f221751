// Where everything of the diagram goes: columns for steps, rows for processes, lanes for waits.

const LEFT = 16;
const FIRST_ROW = 62;
const ROW = 86;
const HIDDEN_ROW = 30;
const FIRST_LANE = 10;
const LOST_AFTER = 0.6;
const ROOM_FOR_LOOP = 34;
const MARGIN = 24;

export const LANE = 17;
export const NARROW_LANE = 6;
export const TOP = 30;
export const CURVE = 30;
export const LABEL = 13;
export const SQUARES = 13;
export const NARROWEST = 44;
const WIDEST = 150;
const ALMOST = 0.8; // a run that fits almost is made to fit

export class Layout {
  // `column` is the width of a step in pixels; `hidden` holds the processes that are collapsed.
  constructor(run, column, hidden) {
    this.run = run;
    this.column = column;
    this.hidden = hidden;
    this.lane = column < NARROWEST ? NARROW_LANE : LANE;
    this.slots = Math.max(0, ...run.packets.filter(isLeft).map((packet) => packet.slot + 1));
    this.bars = new Map(run.bars.filter((bar) => bar.packet).map((bar) => [bar.packet, bar]));
    this.rows = [];
    let y = FIRST_ROW;
    for (let process = 1; process <= run.processes; process += 1) {
      const lanes = Math.max(0, ...run.bars.filter((bar) => bar.process === process).map((bar) => bar.lane + 1));
      this.rows.push(y);
      y += hidden.has(process) ? HIDDEN_ROW : ROW + Math.max(0, lanes - 1) * this.lane;
      this.below = hidden.has(process) ? this.rows[this.rows.length - 1] + 16 : this.rows[this.rows.length - 1] + FIRST_LANE + Math.max(1, lanes) * this.lane + 16;
    }
    this.end = this.x(run.steps.length + 1);
    this.right = this.end + (this.slots ? (this.slots + 0.4) * this.slotWidth : 0) + 22;
    this.width = this.right + MARGIN;
    this.height = this.below + (run.loop === null ? 0 : ROOM_FOR_LOOP) + 6;
  }

  get slotWidth() {
    return Math.max(this.column * 0.75, 30);
  }

  x(step) {
    return LEFT + (step - 0.4) * this.column;
  }

  y(process) {
    return this.rows[process - 1];
  }

  start(packet) {
    if (packet.copiedFrom === null) return [this.x(packet.sent), this.y(packet.sender)];
    return this.onWay(this.packet(packet.copiedFrom), packet.sent);
  }

  // Where a packet reaches its process's line, or is lost, or, beyond the end, is still in transit.
  landing(packet) {
    const y = this.y(packet.to);
    if (packet.waitsAfter !== null) return [this.x(packet.waitsAfter + 0.5), y];
    if (packet.received !== null) return [this.x(packet.received), y];
    if (packet.lost !== null) {
      const from = this.start(packet)[1];
      return [this.x(packet.lost), from === y ? from - CURVE : from + LOST_AFTER * (y - from)];
    }
    return [this.end + (packet.slot + 0.6) * this.slotWidth, y];
  }

  onWay(packet, step) {
    const [x1, y1] = this.start(packet);
    const [x2, y2] = this.landing(packet);
    const x = this.x(step);
    if (x > x2 && this.bars.has(packet.number)) return [x, this.edges(this.bars.get(packet.number)).y + this.lane / 2 - 1.5];
    const t = x2 > x1 ? (x - x1) / (x2 - x1) : 1;
    return [x, y1 === y2 ? y1 - 4 * t * (1 - t) * CURVE : y1 + t * (y2 - y1)];
  }

  packet(number) {
    return this.run.packets[number - 1];
  }

  edges(bar) {
    return {
      x1: this.x(bar.since),
      x2: bar.until === null ? this.end : this.x(bar.until),
      y: this.y(bar.process) + FIRST_LANE + (this.hidden.has(bar.process) ? 0 : bar.lane * this.lane),
    };
  }
}

export function isLeft(packet) {
  return packet.waitsAfter === null && packet.received === null && packet.lost === null;
}

// The width of a step at zoom 1: as wide as the page allows, within what is readable.
export function usualColumn(run, room) {
  const longest = Math.max(3, ...run.happenings.map((happening) => happening.text.length));
  const captions = run.happenings.some((happening) => happening.caption) ? 96 : 0;
  const narrowest = Math.max(58, 2 * 0.62 * LABEL * longest + 22, captions);
  const fitting = fittingColumn(run, room);
  return fitting >= ALMOST * narrowest ? Math.min(fitting, WIDEST) : narrowest;
}

export function fittingColumn(run, room) {
  const slots = Math.max(0, ...run.packets.filter(isLeft).map((packet) => packet.slot + 1));
  return Math.max(1.2, (room - LEFT - MARGIN - 22) / (run.steps.length + 0.6 + (slots ? 0.75 * (slots + 0.4) : 0)));
}
