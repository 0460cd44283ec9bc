// Images of a plot for export to files: SVG text drawn by the same code as on the screen, and PNG rendered from that SVG.

import { axisLabel } from "./format.js";
import { lightPalette, textWidth } from "./palette.js";
import { SvgPen } from "./pens.js";

const MARGIN = 16;
const GUTTER = 58;
const AXIS = 42;
const RIGHT = 14;
const ROW = 18;
const LEGEND_ENTRIES = 24;

export function svgOf(plot) {
  const shown = plot.entries.filter(({ visible }) => visible);
  const keys = plot.keys();
  const palette = lightPalette([...shown, ...keys].map(({ colour }) => colour));
  const width = Math.max(640, plot.uplot.width);
  const legend = legendRows(shown, keys, width - 2 * MARGIN, (text) => textWidth(text, 11, palette.family));
  const top = MARGIN + 20 + legend.length * ROW + Math.max(10, plot.headroom());
  const height = top + plot.uplot.height + AXIS;
  const area = { left: MARGIN + GUTTER, top, width: width - 2 * MARGIN - GUTTER - RIGHT, height: plot.uplot.height };
  plot.prepareAll(Math.ceil(area.width));
  const frame = plot.frameFor(area);
  const pen = new SvgPen();
  const title = axisLabel(plot.options.title, plot.axisUnit());
  pen.text(MARGIN, MARGIN + 12, title, { colour: palette.of("--ink"), font: { size: 14, weight: 600 } });
  drawLegend(pen, legend, palette);
  drawAxes(pen, plot, frame, palette);
  plot.paint(pen, frame, palette);
  return pen.finish(width, height, `${title}, ${plot.rangeText()}`, palette.family, palette.of("--paper"));
}

/** PNG with two pixels per CSS pixel. */
export async function pngFromSvg(svg, scale = 2) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * scale;
    canvas.height = image.naturalHeight * scale;
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser made no PNG"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

function legendRows(shown, keys, width, measure) {
  const items = shown.slice(0, LEGEND_ENTRIES).map((entry) => ({ ...entry, swatch: true }));
  if (shown.length > LEGEND_ENTRIES) items.push({ name: `and ${shown.length - LEGEND_ENTRIES} more` });
  items.push(...keys.map((key) => ({ ...key, tick: true })));
  const rows = [];
  let x = Infinity;
  for (const item of items) {
    const needed = (item.swatch || item.tick ? 24 : 0) + measure(item.name) + 18;
    if (x + needed > width) {
      rows.push([]);
      x = 0;
    }
    rows.at(-1).push({ ...item, x });
    x += needed;
  }
  return rows;
}

function drawLegend(pen, rows, palette) {
  rows.forEach((row, index) => {
    const y = MARGIN + 34 + index * ROW;
    for (const { x, name, colour, dash, swatch, tick, shade } of row) {
      const left = MARGIN + x;
      if (swatch) pen.line(left, y - 4, left + 18, y - 4, { colour: palette.of(colour), width: 2, dash });
      if (shade) pen.rect(left, y - 9, 18, 9, palette.of(colour), 0.3);
      else if (tick) pen.rect(left + 8, y - 9, 2, 9, palette.of(colour));
      pen.text(left + (swatch || tick ? 24 : 0), y, name, { colour: palette.of("--ink"), font: { size: 11 } });
    }
  });
}

function drawAxes(pen, plot, frame, palette) {
  const { left, top, width, height } = frame;
  const bottom = top + height;
  const text = { colour: palette.of("--muted"), font: { size: 11 } };
  const line = { colour: palette.of("--grid") };
  for (const { at, label } of plot.xTicks(plot.range, width)) {
    pen.line(frame.x(at), top, frame.x(at), bottom, line);
    pen.text(frame.x(at), bottom + 17, label, { ...text, align: "middle" });
  }
  for (const { at, label } of plot.yTicks(plot.vertical, height)) {
    pen.line(left, frame.y(at), left + width, frame.y(at), line);
    pen.text(left - 6, frame.y(at) + 4, label, { ...text, align: "end" });
  }
  pen.text(left + width / 2, bottom + 34, plot.xName(), { ...text, align: "middle" });
}
