// Happened-before on the events of a run: the part of a step at one process. Only deliveries carry the past of a message.

export class Causality {
  constructor(run) {
    this.before = new Map();
    this.after = new Map();
    this.sends = new Map();
    this.deliveries = new Map();
    const last = new Map();
    for (const happening of run.happenings) {
      if (happening.shape === "none") continue;
      const event = eventOf(happening.step, happening.process);
      if (last.has(happening.process)) this.link(last.get(happening.process), event);
      last.set(happening.process, event);
      const step = run.steps[happening.step - 1];
      if (step.kind === "send" && happening.process === step.process) this.sends.set(step.message, event);
    }
    for (const happening of run.happenings) {
      const event = eventOf(happening.step, happening.process);
      for (const [message] of happening.delivered) {
        if (this.sends.has(message)) this.link(this.sends.get(message), event);
        this.deliveries.set(`${message} ${happening.process}`, event);
      }
    }
  }

  link(earlier, later) {
    if (earlier === later) return;
    add(this.after, earlier, later);
    add(this.before, later, earlier);
  }

  pastOf(event) {
    return reached(this.before, event);
  }

  futureOf(event) {
    return reached(this.after, event);
  }

  send(message) {
    return this.sends.get(message);
  }

  delivery(message, process) {
    return this.deliveries.get(`${message} ${process}`);
  }
}

export function eventOf(step, process) {
  return step * 100 + process;
}

function add(map, key, value) {
  if (!map.has(key)) map.set(key, []);
  map.get(key).push(value);
}

function reached(edges, start) {
  const found = new Set();
  const open = [start];
  while (open.length) {
    for (const next of edges.get(open.pop()) || []) {
      if (!found.has(next)) {
        found.add(next);
        open.push(next);
      }
    }
  }
  return found;
}
