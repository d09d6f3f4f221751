// The page's frame: every part of it, with what its controls do.

import { html, svg } from "./dom.js";

function button(text, label, onclick) {
  return html("button", { onclick, "aria-label": label, title: label }, text);
}

// A triangle to the left (-1) or to the right (1), before a bar where it leads to the end.
function arrowIcon(way, toTheEnd) {
  const points = way > 0 ? "5,3 13,9 5,15" : "13,3 5,9 13,15";
  const bar = toTheEnd && svg("rect", { x: way > 0 ? 13 : 3, y: 3, width: 2.4, height: 12 });
  return svg("svg", { width: 18, height: 18, viewBox: "0 0 18 18", class: "icon", "aria-hidden": "true" }, svg("polygon", { points }), bar);
}

// Put the frame into the page and return its parts. `act` holds what can be done: goTo, stepBy, toTheEnd, zoomBy, fit,
// saveAsSvg, saveAsPng, changeTheme. `names` are the runs to choose from, `chosen` the place of the one that is shown.
export function build(act, names, chosen, more) {
  const parts = {};
  const card = (name, title, extra = "") => html("section", { class: `card ${extra}`, "aria-label": title }, html("h2", {}, title), (parts[name] = html("div", {})));
  parts.names = html("div", { class: "names" });
  parts.canvas = html("div", { class: "canvas" });
  parts.scroll = html("div", { class: "scroll", tabindex: "0", "aria-label": "Space-time diagram. Left and right: steps. Up and down: messages.", role: "group" }, parts.names, parts.canvas);
  parts.slider = html("input", { type: "range", min: 0, step: 1, "aria-label": "step", oninput: () => act.goTo({ step: Number(parts.slider.value) }) });
  parts.counter = html("span", { class: "counter" });
  parts.strip = html("div", { class: "strip", "aria-hidden": "true" });
  parts.legend = html("div", { class: "legend" });
  parts.heading = html("div", { class: "heading" });
  parts.storyBody = html("div", {});
  parts.story = html("section", { class: "card story-card", "aria-label": "What this run shows" }, (parts.storyTitle = html("h2", {})), parts.storyBody);
  parts.said = html("div", { class: "said", role: "status", "aria-live": "polite" });
  parts.help = help();
  parts.first = button(arrowIcon(-1, true), "first state (Home)", () => act.goTo({ step: 0 }));
  parts.back = button(arrowIcon(-1, false), "step back (left arrow)", () => act.stepBy(-1));
  parts.next = button(arrowIcon(1, false), "next step (right arrow)", () => act.stepBy(1));
  parts.last = button(arrowIcon(1, true), "last state (End)", act.toTheEnd);
  const choice = names.length > 1 && html("label", { class: "choice" }, "run ", html("select", { onchange: (event) => act.goTo({ trace: event.target.selectedIndex }) },
    names.map((name, i) => html("option", { selected: i === chosen }, name))));
  const diagramCard = html("section", { class: "card diagram-card", "aria-label": "Diagram" },
    html("div", { class: "toolbar", role: "toolbar", "aria-label": "Steps and view" },
      html("div", { class: "group" }, parts.first, parts.back, parts.next, parts.last), html("div", { class: "slide" }, parts.slider, parts.strip), parts.counter,
      html("div", { class: "group" }, button("−", "narrower (-)", () => act.zoomBy(0.8)), button("+", "wider (+)", () => act.zoomBy(1.25)), button("fit", "fit the whole run (f)", act.fit)),
      html("div", { class: "group" }, button("SVG", "save the diagram as SVG", act.saveAsSvg), button("PNG", "save the diagram as PNG", act.saveAsPng)),
      html("div", { class: "group" }, button("◐", "light or dark (t)", act.changeTheme), button("?", "keys and signs", () => parts.help.showModal())),
    ),
    parts.scroll, parts.legend);
  const others = card("others", more ? more.title : "What else could have happened here", "others-card");
  const [step, properties] = [card("step", "This step", "step-card"), card("properties", "Properties after this step", "properties-card")];
  parts.selectionCard = card("selection", "Selected", "selection-card");
  const list = card("list", "All steps", "list-card");
  const main = html("main", { class: more && "stepping" },
    html("div", { class: "main-column" }, diagramCard, card("states", "States", "states-card"), html("div", { class: "pair" }, more ? null : others, list)),
    html("div", { class: "side-column" }, more ? others : null, step, parts.selectionCard, properties));
  document.body.append(html("header", { class: "page" }, parts.heading, choice), parts.story, main, parts.said, parts.help);
  parts.list.classList.add("list");
  parts.states.classList.add("states");
  return parts;
}

function help() {
  const keys = [["← →", "one step back or forth"], ["Home, End", "first and last state, PageUp, PageDown: ten steps (in the diagram)"], ["↑ ↓ or p n", "the previous or next message"], ["Escape", "clear the selection"], ["+ − 0 f", "wider, narrower, usual width, the whole run"], ["t", "light or dark"]];
  const dialog = html("dialog", {}, html("h2", {}, "Keys"), html("dl", {}, keys.map(([key, what]) => [html("dt", {}, key), html("dd", {}, what)])),
    html("p", {}, "The address holds step, selection and view: a copied link opens the same picture. A click on a process's name collapses it; the diagram is dragged to pan, and zoomed with Ctrl and the wheel."),
    html("button", { onclick: () => dialog.close() }, "close"));
  return dialog;
}
