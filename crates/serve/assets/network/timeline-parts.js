// Elements of the timeline.

import { html, svg } from "./network-dom.js";

/** Height of the track in pixels, as in the style sheet. */
export const HEIGHT = 46;

/** Builds the elements; `view` is the outermost. */
export function buildParts() {
  const view = html("div", "time-view");
  const controls = buildControls();
  const labels = html("div", "time-labels");
  const track = html("div", "time-track");
  const roles = { role: "slider", tabindex: "0", "aria-label": "Time of the run", "aria-valuemin": "0" };
  for (const [name, value] of Object.entries(roles)) track.setAttribute(name, value);
  const drawing = buildDrawing();
  track.append(drawing.svg);
  const scale = html("div", "time-scale");
  const caption = html("span", "time-caption", "longest queue");
  const last = html("span");
  scale.append(html("span", "", "0"), caption, last);
  view.append(controls.bar, labels, track, scale);
  return { view, labels, track, caption, last, ...controls, ...drawing };
}

function buildControls() {
  const bar = html("div", "time-bar");
  const live = html("button", "time-button time-live", "Live");
  live.title = "Follow the run (L)";
  const play = html("button", "time-button", "Replay");
  play.title = "Replay or pause (space bar on the slider)";
  for (const button of [live, play]) button.type = "button";
  const speed = html("select", "time-speed");
  const label = html("label", "time-label", "Whole run in ");
  label.append(speed);
  const readout = html("output", "time-readout");
  // Changes many times per second; the slider reports the time to screen readers.
  readout.setAttribute("aria-live", "off");
  bar.append(live, play, label, readout);
  return { bar, live, play, speed, readout };
}

function buildDrawing() {
  const middle = HEIGHT / 2;
  const parts = {
    measured: svg("rect", { class: "time-measured", height: HEIGHT }),
    outline: svg("path", { class: "time-outline", transform: "translate(0 5)" }),
    rest: svg("rect", { class: "time-rest", height: HEIGHT }),
    measuredText: svg("text", { class: "time-measured-text", y: 12 }),
    done: svg("rect", { class: "time-done", y: HEIGHT - 3, height: 3 }),
    ticks: svg("g", { class: "time-ticks" }),
    handle: svg("g", { class: "time-handle" },
      svg("path", { class: "time-handle-line", d: `M0 0V${HEIGHT}` }),
      svg("rect", { class: "time-handle-knob", x: -5, y: middle - 10, width: 10, height: 20, rx: 4 }),
      svg("path", { class: "time-handle-grip", d: `M-1.5 ${middle - 4}v8M1.5 ${middle - 4}v8` })),
  };
  parts.measuredText.textContent = "measured";
  return { svg: svg("svg", { class: "time-svg", height: HEIGHT, "aria-hidden": "true" }, ...Object.values(parts)), ...parts };
}
