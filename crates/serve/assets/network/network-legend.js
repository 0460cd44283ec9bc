// Legend of the network view. Each entry consists of a small drawing and a label, so that an export can copy both.

import { svg } from "../dom.js";
import { html } from "./network-dom.js";
import { TWO_LANES } from "./network-geometry.js";

export function legend({ setPoint, queues, lanes }) {
  const list = html("ul", "net-key");
  list.append(loads());
  if (lanes <= TWO_LANES) list.append(entry(directions(), 34, "two lanes"));
  if (queues.length) {
    const full = queues.every((queue) => queue.capacity === null) ? "longest" : "capacity";
    list.append(entry(bar(setPoint), 36, `queue${setPoint ? ", set point" : ""}, ${full}`));
    list.append(
      entry([svg("circle", { class: "net-dot", cx: 6, cy: 7, r: 3.4 })], 12, "notification", "net-key-moving"),
      entry([svg("rect", { class: "net-ring", x: 2, y: 2, width: 22, height: 10, rx: 5 })], 26, "source notified", "net-key-still"),
    );
  }
  list.append(entry([
    svg("path", { class: "net-lane net-u1", d: "M1 7H29", "stroke-width": 3.5 }),
    svg("path", { class: "net-paused", d: "M1 7H29", "stroke-width": 2.4 }),
  ], 30, "paused"));
  return list;
}

function entry(drawing, width, text, more = "") {
  const item = html("li", `net-key-item ${more}`.trim());
  item.append(picture(drawing, width), html("span", "net-key-text", text));
  return item;
}

function picture(drawing, width) {
  return svg("svg", { class: "net-key-picture", width, height: 14, viewBox: `0 0 ${width} 14`, "aria-hidden": "true" }, ...drawing);
}

function loads() {
  const item = html("li", "net-key-item");
  const steps = [0, 1, 2, 3, 4].map((level) => svg("path", {
    class: `net-lane net-u${level}`, d: `M${level * 12} 7h10`, "stroke-width": 1.6 + level,
  }));
  item.append(html("span", "net-key-text", "load 0"), picture(steps, 58), html("span", "net-key-text", "100\u00a0%"));
  return item;
}

function directions() {
  return [
    svg("path", { class: "net-key-arrow", d: "M33 4H3M7 1.2L3 4L7 6.8" }),
    svg("path", { class: "net-key-arrow", d: "M1 10.5H31M27 7.7L31 10.5L27 13.3" }),
  ];
}

function bar(setPoint) {
  const shape = { x: 1, y: 3, height: 8, rx: 1.5 };
  const drawing = [
    svg("rect", { class: "net-queue-frame", width: 34, ...shape }),
    svg("rect", { class: "net-queue-most", width: 22, ...shape }),
    svg("rect", { class: "net-queue-fill", width: 16, ...shape }),
    svg("rect", { class: "net-queue-edge", width: 34, ...shape }),
  ];
  if (setPoint) drawing.push(svg("path", { class: "net-queue-tick", d: "M12 1V13" }));
  return drawing;
}
