// The address holds what is looked at: trace, step, selection, zoom, collapsed processes and theme.

export const FIRST = { trace: 0, step: null, selected: null, zoom: 1, hidden: new Set(), theme: null };

export function read(runs) {
  const found = new URLSearchParams(location.hash.slice(1));
  const trace = whole(found.get("trace"), 1, runs.length, 1) - 1;
  const run = runs[trace];
  const selected = found.get("select");
  return {
    trace,
    step: whole(found.get("step"), 0, run.steps.length, run.steps.length),
    selected: exists(run, selected) ? selected : null,
    zoom: Math.min(8, Math.max(0.005, Number(found.get("zoom")) || 1)),
    hidden: new Set((found.get("hide") || "").split(",").map(Number).filter((p) => Number.isInteger(p) && p >= 1 && p <= run.processes)),
    theme: ["light", "dark"].includes(found.get("theme")) ? found.get("theme") : null,
  };
}

// `more`: what else is to be kept, by name.
export function write(view, runs, more = {}) {
  const found = new URLSearchParams();
  if (runs.length > 1) found.set("trace", view.trace + 1);
  found.set("step", view.step);
  if (view.selected) found.set("select", view.selected);
  if (Math.abs(view.zoom - 1) > 0.001) found.set("zoom", Number(view.zoom.toFixed(4)));
  if (view.hidden.size) found.set("hide", [...view.hidden].sort((a, b) => a - b).join(","));
  if (view.theme) found.set("theme", view.theme);
  for (const [name, value] of Object.entries(more)) if (value) found.set(name, value);
  const address = `#${found.toString().replaceAll("%2C", ",")}`;
  if (address === location.hash) return;
  try {
    history.replaceState(null, "", address);
  } catch {
    // A page inside a notebook has no address of its own.
  }
}

// A selection is a packet (p3), a step at a process (e2.1), or nothing.
export function exists(run, selected) {
  if (!selected) return false;
  if (/^p\d+$/.test(selected)) return Boolean(run.packets[Number(selected.slice(1)) - 1]);
  if (!/^e\d+\.\d+$/.test(selected)) return false;
  const [step, process] = selected.slice(1).split(".").map(Number);
  return run.happenings.some((happening) => happening.step === step && happening.process === process);
}

function whole(text, low, high, otherwise) {
  const number = text === null || text === "" ? NaN : Number(text);
  return Number.isInteger(number) && number >= low && number <= high ? number : otherwise;
}
