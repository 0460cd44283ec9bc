// The layer above the curves: brush, playhead and cursor. It changes with the pointer, without redrawing the curves.

import { CanvasPen } from "./pens.js";

const DOTS_UP_TO = 16; // maximum number of visible series with dots at the cursor

export function drawOverlay(plot, frame, brush) {
  const { overlay, palette, playhead } = plot;
  const { width, height } = plot.uplot;
  const ratio = window.uPlot.pxRatio;
  if (overlay.width !== Math.round(width * ratio) || overlay.height !== Math.round(height * ratio)) {
    overlay.width = Math.round(width * ratio);
    overlay.height = Math.round(height * ratio);
  }
  const context = overlay.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const pen = new CanvasPen(context, ratio);
  const bottom = frame.top + frame.height;
  const [from, to] = plot.range;
  const inside = (at) => at !== null && at >= from && at <= to;
  if (brush) pen.rect(frame.left + brush[0], frame.top, brush[1] - brush[0], frame.height, palette.of("--accent"), 0.14);
  if (inside(playhead)) {
    const x = Math.round(frame.x(playhead)) + 0.5;
    pen.line(x, frame.top - 2, x, bottom, { colour: palette.of("--accent"), width: 1.5 });
    context.beginPath();
    context.moveTo(x - 5, frame.top - 6);
    context.lineTo(x + 5, frame.top - 6);
    context.lineTo(x, frame.top + 2);
    context.fillStyle = palette.of("--accent");
    context.fill();
  }
  const { cursor } = plot.group;
  if (!inside(cursor)) return;
  const x = Math.round(frame.x(cursor)) + 0.5;
  pen.line(x, frame.top, x, bottom, { colour: palette.of("--muted"), dash: [3, 3] });
  const shown = plot.entries.filter(({ visible }) => visible);
  if (shown.length > DOTS_UP_TO) return;
  for (const entry of shown) {
    const y = frame.y(plot.valueAt(entry, cursor));
    if (y >= frame.top - 1 && y <= bottom + 1) {
      pen.dot(frame.x(cursor), y, 3.5, palette.of(entry.colour), palette.of("--paper"));
    }
  }
}
