// Elements of the timeline.

import { button, make, svg } from "../dom.js";

/** Height of the track in pixels, as in the style sheet. */
export const HEIGHT = 36;

/** Builds the elements; `view` is the outermost. */
export function buildParts() {
  const controls = buildControls();
  const drawing = buildDrawing();
  const labels = make("div", { class: "time-labels" });
  const track = make("div", { class: "time-track", role: "slider", tabindex: 0, "aria-label": "Time of the run", "aria-valuemin": 0 }, drawing.svg);
  const caption = make("span", { class: "time-caption" }, "longest queue");
  const [first, last] = [make("span"), make("span")];
  const view = make("div", { class: "time-view" }, controls.bar, labels, track,
    make("div", { class: "time-scale" }, first, caption, last));
  return { view, labels, track, caption, first, last, ...controls, ...drawing };
}

function buildControls() {
  const live = button("Live", null, { class: "time-button time-live", title: "Follow the run (L)" });
  const play = button("Replay", null, { class: "time-button", title: "Replay or pause (space bar on the slider)" });
  const speed = make("select", { class: "time-speed" });
  // Changes many times per second; the slider reports the time to screen readers.
  const readout = make("output", { class: "time-readout", "aria-live": "off" });
  const zoom = button("Zoom to events", null, { class: "time-button", "aria-pressed": "false", title: "Show the part of the run in which something happens" });
  const bar = make("div", { class: "time-bar" }, live, play, zoom, make("label", { class: "time-label" }, "Whole run in ", speed), readout);
  return { bar, live, play, zoom, speed, readout };
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
