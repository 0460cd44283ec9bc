// Two pens with the same methods, one for a canvas and one for SVG text, so that every decoration is written once.
// Coordinates are CSS pixels.

/** Draws on a canvas whose context is already scaled to CSS pixels. */
export class CanvasPen {
  constructor(context, ratio = 1) {
    this.context = context;
    // One device pixel: browsers draw such lines many times faster than wider ones.
    this.hairline = 1 / ratio;
  }

  clip(left, top, width, height, draw) {
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    draw();
    context.restore();
  }

  line(x1, y1, x2, y2, style) {
    const { context } = this;
    this.#stroke(style);
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.stroke();
  }

  /** A line through `length` points; NaN interrupts it. */
  path(xs, ys, length, style) {
    const { context } = this;
    this.#stroke(style);
    context.beginPath();
    let down = false;
    for (let i = 0; i < length; i += 1) {
      const y = ys[i];
      if (y !== y) {
        down = false;
      } else if (down) {
        context.lineTo(xs[i], y);
      } else {
        context.moveTo(xs[i], y);
        down = true;
        // An isolated sample between gaps stays visible as a dot.
        if (i + 1 === length || ys[i + 1] !== ys[i + 1]) context.lineTo(xs[i] + 1, y);
      }
    }
    context.stroke();
    if (!style.double || this.hairline === 1) return;
    // Two hairlines side by side look like a line of normal width on a dense screen, at a fraction of its cost.
    const shift = 0.7 * this.hairline;
    context.translate(shift, shift);
    context.stroke();
    context.translate(-shift, -shift);
  }

  /** The area between two lines through `length` points. */
  band(xs, lows, highs, length, colour, alpha) {
    if (length < 2) return;
    const { context } = this;
    context.globalAlpha = alpha;
    context.fillStyle = colour;
    context.beginPath();
    context.moveTo(xs[0], highs[0]);
    for (let i = 1; i < length; i += 1) context.lineTo(xs[i], highs[i]);
    for (let i = length - 1; i >= 0; i -= 1) context.lineTo(xs[i], lows[i]);
    context.fill();
    context.globalAlpha = 1;
  }

  rect(x, y, width, height, colour, alpha = 1) {
    const { context } = this;
    context.globalAlpha = alpha;
    context.fillStyle = colour;
    context.fillRect(x, y, width, height);
    context.globalAlpha = 1;
  }

  dot(x, y, radius, fill, ring) {
    const { context } = this;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = fill;
    context.strokeStyle = ring;
    context.setLineDash([]);
    context.globalAlpha = 1;
    context.lineWidth = 1.5;
    context.fill();
    context.stroke();
  }

  /** `align` is "start", "middle" or "end"; `halo` is a colour around the letters that keeps them readable on lines. */
  text(x, y, text, { colour, font, align = "start", halo }) {
    const { context } = this;
    context.globalAlpha = 1;
    context.font = `${font.weight ?? 400} ${font.size}px ${font.family}`;
    context.textAlign = align === "middle" ? "center" : align;
    context.textBaseline = "alphabetic";
    if (halo) {
      context.setLineDash([]);
      context.lineWidth = 3;
      context.lineJoin = "round";
      context.strokeStyle = halo;
      context.strokeText(text, x, y);
    }
    context.fillStyle = colour;
    context.fillText(text, x, y);
  }

  #stroke({ colour, width = 1, dash = [], alpha = 1 }) {
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.lineJoin = "bevel"; // Mitres of steep peaks would overshoot the extremes.
    context.lineCap = "butt";
    context.globalAlpha = alpha;
    context.setLineDash(dash);
  }
}

/** Collects SVG elements; `finish` returns the text of the document. */
export class SvgPen {
  hairline = 1;
  #parts = [];
  #clips = 0;

  clip(left, top, width, height, draw) {
    const id = `clip${this.#clips += 1}`;
    this.#parts.push(`<clipPath id="${id}"><rect x="${num(left)}" y="${num(top)}" width="${num(width)}" height="${num(height)}"/></clipPath>`);
    this.#parts.push(`<g clip-path="url(#${id})">`);
    draw();
    this.#parts.push("</g>");
  }

  line(x1, y1, x2, y2, style) {
    this.#parts.push(`<path d="M${num(x1)} ${num(y1)}L${num(x2)} ${num(y2)}"${stroke(style)}/>`);
  }

  path(xs, ys, length, style) {
    let d = "";
    let down = false;
    for (let i = 0; i < length; i += 1) {
      if (Number.isNaN(ys[i])) {
        down = false;
        continue;
      }
      d += `${down ? "L" : "M"}${num(xs[i])} ${num(ys[i])}`;
      down = true;
    }
    if (d) this.#parts.push(`<path d="${d}"${stroke(style)} stroke-linejoin="bevel"/>`);
  }

  band(xs, lows, highs, length, colour, alpha) {
    if (length < 2) return;
    const point = (ys, i) => `${num(xs[i])} ${num(ys[i])}`;
    const index = Array.from({ length }, (_, i) => i);
    const line = [...index.map((i) => point(highs, i)), ...index.reverse().map((i) => point(lows, i))];
    this.#parts.push(`<path d="M${line.join("L")}Z" fill="${escape(colour)}" fill-opacity="${num(alpha)}"/>`);
  }

  rect(x, y, width, height, colour, alpha = 1) {
    const opacity = alpha < 1 ? ` fill-opacity="${num(alpha)}"` : "";
    this.#parts.push(`<rect x="${num(x)}" y="${num(y)}" width="${num(width)}" height="${num(height)}" fill="${escape(colour)}"${opacity}/>`);
  }

  text(x, y, text, { colour, font, align = "start", halo }) {
    const around = halo ? ` stroke="${escape(halo)}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"` : "";
    this.#parts.push(`<text x="${num(x)}" y="${num(y)}" font-size="${font.size}" font-weight="${font.weight ?? 400}" text-anchor="${align}" fill="${escape(colour)}"${around}>${escape(text)}</text>`);
  }

  finish(width, height, title, family, ground) {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="${escape(family)}">`
      + `<title>${escape(title)}</title><rect width="${width}" height="${height}" fill="${escape(ground)}"/>${this.#parts.join("\n")}</svg>\n`;
  }
}

const num = (value) => String(Math.round(value * 100) / 100);

function stroke({ colour, width = 1, dash = [], alpha = 1 }) {
  return ` fill="none" stroke="${escape(colour)}" stroke-width="${num(width)}"`
    + (dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : "") + (alpha < 1 ? ` stroke-opacity="${num(alpha)}"` : "");
}

function escape(text) {
  // Control characters other than tab and line feed are not allowed in XML 1.0 at all.
  const clean = String(text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");
  return clean.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
