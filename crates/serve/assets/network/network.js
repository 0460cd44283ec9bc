// Live drawing of the network: links coloured by load, queues as bars at the output ports of bridges, notifications as
// dots on their way to the source, paused ports dashed. `show` draws one sample; between calls nothing is drawn except
// moving dots.

import { quantity } from "../chart/format.js";
import { svg } from "../dom.js";
import { change, html } from "./network-dom.js";
import { svgText } from "./network-export.js";
import { geometry, naturalHeight, pathData } from "./network-geometry.js";
import { resolve } from "./network-graph.js";
import { layout } from "./network-layout.js";
import { legend } from "./network-legend.js";
import { Notices } from "./network-notices.js";
import { buildScene } from "./network-scene.js";
import { Tip } from "./network-tip.js";
import { describeLink, describeNode, describeQueue, reader } from "./network-values.js";

/** Beyond these numbers links are drawn on a canvas: SVG would redraw too slowly. */
const MANY_NODES = 400;
const MANY_LINKS = 600;
/** A step over more samples than this counts as a jump, whose notifications are not shown. */
const JUMP = 400;

export class NetworkView {
  #history = null;
  #index = -1;
  #most;
  #counted = 0;
  #frame = 0;
  #motionChanged = () => { this.notices.clear(); this.#setStill(); };

  /** The height follows from the network, up to `options.most` pixels; `options.scale` enlarges the names of nodes. */
  constructor(host, start, options = {}) {
    this.host = host;
    this.start = start;
    this.options = options;
    this.graph = resolve(start);
    this.plan = layout(this.graph);
    this.canvasLinks = this.graph.nodes.length > MANY_NODES || this.graph.links.length > MANY_LINKS;
    this.#most = new Float64Array(this.graph.queues.length);
    this.setPoint = Number.isFinite(start.set_point_bytes) ? start.set_point_bytes : null;
    this.#skeleton();
    this.notices = new Notices(this.graph, this.overlay, (node, on) => {
      this.scene.rings[node]?.setAttribute("visibility", on ? "visible" : "hidden");
    });
    this.tip = new Tip(this.frame, (part) => this.#describe(part));
    this.#setStill();
    this.notices.still.addEventListener("change", this.#motionChanged);
    this.#build();
    this.observer = new ResizeObserver(() => this.#resized());
    this.observer.observe(host);
  }

  /** Draws the sample `index` of a history. A step forward also sends the notifications since the last call. */
  show(history, index) {
    const at = Math.min(index, history.length - 1);
    if (history !== this.#history) { this.#most.fill(0); this.#counted = 0; this.notices.clear(); this.#index = -1; }
    this.#history = history;
    this.#updateMost();
    const before = this.#index;
    this.#index = at;
    this.#draw();
    if (at < before || at - before > JUMP) this.notices.clear();
    else if (at > before) this.notices.emit(history, before + 1, at + 1);
  }

  /** Turns travelling dots on or off. While off, the notified stations are marked. */
  animate(on) {
    this.notices.moving = Boolean(on);
    this.#setStill();
    if (!on) this.notices.clear();
  }

  /** Redraws after a change of the theme. SVG follows the style sheet; only a canvas stores colours. */
  repaint() {
    this.colours = null;
    this.#draw();
  }

  /** The drawing as a standalone SVG file with the colours of the light theme. */
  toSvg() {
    const time = this.#history && this.#index >= 0 ? this.#history.time[this.#index] : null;
    const title = [this.start.name, time === null ? null : `at ${quantity(time, "s", 4)}`].filter(Boolean).join(" ");
    return svgText({
      title, description: this.summary(), root: this.scene.root, overlay: this.overlay, key: this.key, frame: this.frame,
      links: this.canvasLinks ? () => this.#canvasLinks() : null,
    });
  }

  /** One sentence for readers who cannot see the drawing. */
  summary() {
    const { nodes, links } = this.graph;
    const bridges = nodes.filter((node) => node.kind === "bridge").length;
    const count = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;
    return `Network of ${count(nodes.length - bridges, "station")}, ${count(bridges, "bridge")} and ${count(links.length, "link")}.`;
  }

  destroy() {
    cancelAnimationFrame(this.#frame);
    this.observer.disconnect();
    this.notices.still.removeEventListener("change", this.#motionChanged);
    this.notices.destroy();
    this.view.remove();
  }

  #skeleton() {
    this.view = html("div", "net-view");
    this.frame = html("div", "net-frame");
    this.canvas = html("canvas", "net-canvas");
    this.canvas.hidden = !this.canvasLinks;
    this.overlay = svg("svg", { class: "net-overlay", "aria-hidden": "true" });
    this.frame.append(this.canvas, this.overlay);
    this.key = legend({ setPoint: this.setPoint !== null, queues: this.graph.queues, lanes: this.graph.links.length });
    this.note = html("p", "net-note");
    this.view.append(this.frame, this.key, this.note);
    this.host.append(this.view);
  }

  /** The legend shows a dot or a ring, whichever the drawing uses. */
  #setStill() {
    this.view.classList.toggle("net-still", !this.notices.travels);
  }

  get #height() {
    return Math.round(Math.min(naturalHeight(this.plan), this.options.most ?? Infinity));
  }

  /** Limits the height of the drawing. */
  setMost(pixels) {
    this.options.most = pixels;
    this.#resized();
  }

  #resized() {
    if (this.#frame || (Math.abs(this.frame.clientWidth - this.width) < 1 && this.#height === this.shape.height)) return;
    this.#frame = requestAnimationFrame(() => { this.#frame = 0; this.#build(); });
  }

  #build() {
    this.width = Math.max(240, this.frame.clientWidth);
    const height = this.#height;
    this.shape = geometry(this.graph, this.plan, { width: this.width, height, scale: this.options.scale }, measurer(this.frame));
    const scene = buildScene(this.graph, this.shape, {
      canvas: this.canvasLinks,
      label: `${this.summary()} Arrow keys move between nodes, queues and links.`,
    });
    if (this.scene) this.scene.root.replaceWith(scene.root); else this.frame.insertBefore(scene.root, this.overlay);
    this.scene = scene;
    for (const [name, value] of [["width", this.width], ["height", height]]) this.overlay.setAttribute(name, value);
    this.frame.style.height = `${height}px`;
    this.notices.setShapes(this.shape.links);
    this.paths = null;
    this.#sizeCanvas(height);
    this.#writeNote();
    this.tip.setParts(scene.parts);
    this.#draw();
  }

  #writeNote() {
    const notes = [];
    if (this.shape.boxes.some((box) => box.tier === "dot")) {
      notes.push("The network is dense, so some names are hidden: point at a node to see its name.");
    }
    if (this.shape.style.lanes === 1) notes.push("Each line shows the busier direction of its link.");
    this.note.textContent = notes.join(" ");
    this.note.hidden = !notes.length;
  }

  /** The maximum length of each queue over all samples: the scale of bars without a capacity stays the same when scrubbing. */
  #updateMost() {
    const { length } = this.#history;
    for (let queue = 0; queue < this.#most.length; queue += 1) {
      const column = this.#history.column("queue.largest_bytes", queue);
      for (let i = this.#counted; i < length; i += 1) if (column[i] > this.#most[queue]) this.#most[queue] = column[i];
    }
    this.#counted = length;
  }

  #scale(queue) {
    return this.graph.queues[queue].capacity ?? Math.max(this.#most[queue], 1.25 * (this.setPoint ?? 0), 1);
  }

  #draw() {
    const read = reader(this.#history, this.#index);
    if (this.canvasLinks) this.#drawCanvas(read); else this.#drawLinks(read);
    for (let queue = 0; queue < this.scene.bars.length; queue += 1) this.#drawBar(queue, read);
    this.tip.refresh();
  }

  #load(port, read) {
    let [share, paused] = [read("port.utilisation_share", port), read("port.paused_share", port)];
    if (this.shape.style.lanes === 1) {
      const { forward, back } = this.graph.links[this.graph.ports[port].link];
      const other = port === forward ? back : forward;
      share = Math.max(share || 0, read("port.utilisation_share", other) || 0);
      paused = Math.max(paused || 0, read("port.paused_share", other) || 0);
    }
    share = Math.min(1, Math.max(0, share || 0));
    const { widest } = this.shape.style;
    // Widths in steps of a quarter pixel: smaller changes are not worth a repaint.
    const width = Math.round((0.22 + 0.78 * share ** 0.7) * widest * 4) / 4;
    return { level: Math.min(4, Math.floor(share * 5)), width, paused: paused > 0 };
  }

  #drawLinks(read) {
    this.scene.lanes.forEach((lane, port) => {
      if (!lane) return;
      const { level, width, paused } = this.#load(port, read);
      change(lane, "class", LEVELS[level]);
      change(lane, "stroke-width", width);
      change(this.scene.pauses[port], "visibility", paused ? "visible" : "hidden");
    });
  }

  #drawBar(queue, read) {
    const bar = this.scene.bars[queue];
    if (!bar) return;
    const scale = this.#scale(queue);
    const extent = (value) => Math.round(Math.min(1, Math.max(0, (value || 0) / scale)) * bar.length * 4) / 4;
    const bytes = read("queue.length_bytes", queue);
    change(bar.fill, "width", extent(bytes));
    change(bar.most, "width", extent(read("queue.largest_bytes", queue)));
    const shown = this.setPoint !== null && this.setPoint <= scale;
    change(bar.tick, "visibility", shown ? "visible" : "hidden");
    if (shown) change(bar.tick, "transform", `translate(${extent(this.setPoint)} 0)`);
    if (bar.value) {
      const text = Number.isFinite(bytes) ? quantity(bytes, "B", 3) : "";
      if (bar.value.textContent !== text) bar.value.textContent = text;
    }
  }

  /** Links for a canvas or an export, one per link: `{ d, level, width, paused }`. */
  #canvasLinks() {
    const read = reader(this.#history, this.#index);
    return this.graph.links.flatMap(({ forward, back }, link) => {
      const port = forward >= 0 ? forward : back;
      const form = this.shape.links[link];
      if (port < 0 || !form) return [];
      return [{ d: pathData(form.centre), ...this.#load(port, read) }];
    });
  }

  #sizeCanvas(height) {
    if (!this.canvasLinks) return;
    const ratio = Math.min(2, devicePixelRatio || 1);
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${height}px`;
    this.ratio = ratio;
  }

  /** Groups the links by colour: six strokes instead of one per link. */
  #drawCanvas(read) {
    const context = this.canvas.getContext("2d");
    this.paths ??= this.shape.links.map((form) => form && new Path2D(pathData(form.centre)));
    this.colours ??= palette(this.frame);
    const groups = new Map();
    this.graph.links.forEach(({ forward, back }, link) => {
      const port = forward >= 0 ? forward : back;
      if (port < 0 || !this.paths[link]) return;
      const { level, paused } = this.#load(port, read);
      for (const key of paused ? [level, "paused"] : [level]) {
        if (!groups.has(key)) groups.set(key, new Path2D());
        groups.get(key).addPath(this.paths[link]);
      }
    });
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.shape.height);
    for (const level of [0, 1, 2, 3, 4, "paused"]) {
      if (!groups.has(level)) continue;
      context.strokeStyle = this.colours[level];
      context.setLineDash(level === "paused" ? [3, 5] : []);
      context.lineWidth = level === "paused" ? 1.4 : (0.3 + 0.16 * level) * this.shape.style.widest;
      context.stroke(groups.get(level));
    }
  }

  #describe({ kind, index }) {
    const read = reader(this.#history, this.#index);
    if (kind === "link") return describeLink(this.graph, index, read);
    if (kind === "node") return describeNode(this.graph, index, read);
    return describeQueue(this.graph, index, read, { setPoint: this.setPoint, scale: this.#scale(index) });
  }
}

const LEVELS = [0, 1, 2, 3, 4].map((level) => `net-lane net-u${level}`);

function palette(element) {
  const style = getComputedStyle(element);
  const colour = (name) => style.getPropertyValue(name).trim();
  return { 0: colour("--u0"), 1: colour("--u1"), 2: colour("--u2"), 3: colour("--u3"), 4: colour("--u4"), paused: colour("--alarm") };
}

/** Measures text in the font of the page. */
function measurer(element) {
  const context = document.createElement("canvas").getContext("2d");
  const family = getComputedStyle(element).fontFamily;
  return (text, font, bold) => {
    context.font = `${bold ? "600 " : ""}${font}px ${family}`;
    return context.measureText(text).width;
  };
}
