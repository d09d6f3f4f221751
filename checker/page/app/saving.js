// The diagram as a picture of its own: an SVG with every style written out, or a PNG of it.

import { svg } from "./dom.js";

const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "opacity", "font-size", "font-weight", "font-family", "paint-order", "display"];
const NAMES = 92;

export function picture(element, names) {
  const copy = element.cloneNode(true);
  const originals = element.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((node, i) => {
    const style = getComputedStyle(originals[i]);
    if (style.display === "none" || node.classList.contains("hit")) node.setAttribute("display", "none");
    for (const name of STYLES) if (style.getPropertyValue(name)) node.setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "role", "tabindex", "aria-label"]) node.removeAttribute(name);
  });
  const [width, height] = ["width", "height"].map((name) => Number(element.getAttribute(name)));
  const ground = getComputedStyle(element).getPropertyValue("--paper").trim();
  const ink = getComputedStyle(element).getPropertyValue("--ink").trim();
  const labels = names.map(({ text, y }) => svg("text", { x: 14, y: y + 4.5, "font-size": 13, "font-weight": 600, fill: ink, "font-family": "sans-serif" }, text));
  return svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width + NAMES} ${height}`, width: width + NAMES, height },
    svg("rect", { width: width + NAMES, height, fill: ground }), labels, svg("g", { transform: `translate(${NAMES} 0)` }, [...copy.childNodes]));
}

export function saveSvg(element, name) {
  download(new Blob([new XMLSerializer().serializeToString(element)], { type: "image/svg+xml" }), `${name}.svg`);
}

export function savePng(element, name) {
  const [width, height] = ["width", "height"].map((attribute) => Number(element.getAttribute(attribute)));
  const scale = Math.min(2, 16000 / width);
  const address = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(element)], { type: "image/svg+xml" }));
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(address);
    canvas.toBlob((blob) => blob && download(blob, `${name}.png`), "image/png");
  };
  image.src = address;
}

function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
