// Turns a layout into pixels: boxes, ports along the sides of bridges, two lanes per link, and queue bars.
// The functions are pure: text is measured by a function that the caller supplies.

const TIERS = [
  { name: "label", font: 12, height: 20, pad: 9 },
  { name: "small", font: 10.5, height: 15, pad: 6 },
  { name: "dot", font: 0, height: 0, pad: 0 },
];
const LONGEST = 132;
/** Beyond this many links, one line per link shows the busier direction. */
export const TWO_LANES = 150;

/** The height that gives every node of the fullest column or row enough space. */
export function naturalHeight(plan) {
  if (plan.kind === "ring") return 360;
  const rows = fullest(plan.x, plan.hanging);
  if (plan.vertical) {
    const levels = new Set(plan.y.map((y) => y.toFixed(2))).size;
    return Math.min(600, Math.max(280, 128 * levels));
  }
  return rows > 40 ? Math.min(900, rows * 6 + 60) : Math.min(620, Math.max(250, rows * 27 + 40));
}

function fullest(across, skip) {
  const counts = new Map();
  across.forEach((value, index) => {
    if (!skip[index]) counts.set(value.toFixed(2), (counts.get(value.toFixed(2)) ?? 0) + 1);
  });
  return Math.max(1, ...counts.values());
}

/** `measure(text, font, bold)` returns a width in pixels. */
export function geometry(graph, plan, { width, height, scale = 1 }, measure) {
  const boxes = placeNodes(graph, plan, { width, height, scale }, measure);
  const ends = assignSides(graph, plan, boxes);
  const sides = sizeBridges(graph, plan, boxes, ends, { width, height });
  const style = laneStyle(graph, sides);
  for (const side of sides) side.stub = stubOf(graph, side, boxes, ends);
  placePorts(sides, ends, boxes);
  const links = graph.links.map((link, index) => linkShape(link, ends[index], style));
  return { width, height, boxes, links, style, bars: placeBars(graph, ends, style) };
}

function placeNodes(graph, plan, size, measure) {
  const bridge = graph.nodes.map((node) => node.kind === "bridge");
  const [label, small, dot] = TIERS.map((tier) => ({ ...tier, font: tier.font * size.scale, height: tier.height * size.scale, pad: tier.pad * size.scale }));
  // Bridges are fewer than stations, so their labels often fit even if those of stations do not.
  let boxes = [];
  for (const [station, box] of [[label, label], [small, small], [dot, label], [dot, small], [dot, dot]]) {
    boxes = boxesAt(graph, plan, size, measure, bridge, station, box);
    if (!overlap(boxes)) break;
  }
  return boxes;
}

function boxesAt(graph, plan, size, measure, bridge, stationTier, bridgeTier) {
  const dot = Math.max(2.5, Math.min(10, closest(plan, size) - 3.5));
  const boxes = graph.nodes.map((node, index) => {
    const tier = bridge[index] ? bridgeTier : stationTier;
    if (tier.name === "dot") {
      const side = bridge[index] ? dot + 2 : dot;
      return { bridge: bridge[index], tier: "dot", w: side, h: side, text: "", font: 0 };
    }
    const text = shorten(String(node.name), tier.font, bridge[index], measure, LONGEST * size.scale);
    return {
      bridge: bridge[index], tier: tier.name, text, font: tier.font,
      w: measure(text, tier.font, bridge[index]) + 2 * tier.pad, h: tier.height + (bridge[index] ? 6 : 0),
    };
  });
  const stations = boxes.filter((box) => !box.bridge);
  // Equal widths make a column of stations read as one group.
  const common = Math.max(0, ...stations.map((box) => box.w));
  for (const box of stations) box.w = common;
  const reach = (key, near) => Math.max(14, ...boxes.map((box, index) => (near(index) ? box[key] / 2 + 5 : 0)));
  const left = reach("w", (index) => plan.x[index] < 0.1);
  const right = reach("w", (index) => plan.x[index] > 0.9);
  const top = reach("h", (index) => plan.y[index] < 0.1);
  const bottom = reach("h", (index) => plan.y[index] > 0.9);
  boxes.forEach((box, index) => {
    box.x = left + plan.x[index] * (size.width - left - right);
    box.y = top + plan.y[index] * (size.height - top - bottom);
  });
  return boxes;
}

function shorten(text, font, bold, measure, longest) {
  if (measure(text, font, bold) <= longest) return text;
  let end = text.length - 1;
  while (end > 1 && measure(`${text.slice(0, end)}…`, font, bold) > longest) end -= 1;
  return `${text.slice(0, end)}…`;
}

/** Distance in pixels between the closest two nodes that share a column or row. */
function closest(plan, size) {
  let least = Infinity;
  const scan = (across, along, extent) => {
    const lists = new Map();
    across.forEach((value, index) => {
      const key = value.toFixed(4);
      if (!lists.has(key)) lists.set(key, []);
      lists.get(key).push(along[index] * extent);
    });
    for (const list of lists.values()) {
      list.sort((a, b) => a - b);
      for (let i = 1; i < list.length; i += 1) least = Math.min(least, list[i] - list[i - 1]);
    }
  };
  scan(plan.x, plan.y, size.height - 28);
  scan(plan.y, plan.x, size.width - 28);
  return least;
}

/** True if a labelled box touches another box; sorted by x, so that only neighbours are compared. */
export function overlap(boxes, gap = 3) {
  const order = [...boxes].sort((a, b) => a.x - a.w / 2 - (b.x - b.w / 2));
  for (let i = 0; i < order.length; i += 1) {
    const right = order[i].x + order[i].w / 2 + gap;
    for (let j = i + 1; j < order.length && order[j].x - order[j].w / 2 < right; j += 1) {
      if (order[i].tier === "dot" && order[j].tier === "dot") continue;
      if (Math.abs(order[i].y - order[j].y) < (order[i].h + order[j].h) / 2 + gap) return true;
    }
  }
  return false;
}

const OUT = { left: { x: -1, y: 0 }, right: { x: 1, y: 0 }, top: { x: 0, y: -1 }, bottom: { x: 0, y: 1 } };

/** For each link the sides of the boxes at which it starts and ends. */
function assignSides(graph, plan, boxes) {
  return graph.links.map(({ a, b }) => {
    if (a < 0 || b < 0) return null;
    const dx = boxes[b].x - boxes[a].x;
    const dy = boxes[b].y - boxes[a].y;
    const hangs = plan.hanging[a] || plan.hanging[b];
    // On a ring, links between neighbours one above the other leave upwards and downwards.
    const steepest = plan.vertical ? 10 : plan.kind === "ring" ? 2 : 0.25;
    const vertical = hangs || Math.abs(dx) < steepest * Math.abs(dy);
    const forward = vertical ? dy >= 0 : dx >= 0;
    const [first, second] = vertical ? ["bottom", "top"] : ["right", "left"];
    return [{ node: a, side: forward ? first : second, other: b }, { node: b, side: forward ? second : first, other: a }];
  });
}

/** Groups link ends by side and makes every bridge large enough for its ports. */
function sizeBridges(graph, plan, boxes, ends, size) {
  const sides = new Map();
  ends.forEach((pair, link) => pair?.forEach((end, which) => {
    const key = `${end.node} ${end.side}`;
    if (!sides.has(key)) sides.set(key, { node: end.node, side: end.side, list: [], out: OUT[end.side] });
    sides.get(key).list.push({ link, which, other: end.other });
  }));
  for (const side of sides.values()) {
    const box = boxes[side.node];
    const along = side.out.x ? "y" : "x";
    side.list.sort((p, q) => boxes[p.other][along] - boxes[q.other][along] || p.link - q.link);
    const extent = along === "y" ? "h" : "w";
    const count = side.list.length;
    if (!box.bridge) { side.pitch = Math.max(2, Math.min(8, box[extent] / count)); continue; }
    const free = room(boxes, side.node, along, size);
    side.pitch = Math.max(2.5, Math.min(count === 1 ? 44 : 24, (0.82 * free) / count));
    if (count > 1) box[extent] = Math.max(box[extent], Math.min(free, side.pitch * count + 4));
  }
  return [...sides.values()];
}

/** Length that a bridge may take along one axis without touching its neighbours. */
function room(boxes, node, along, size) {
  const box = boxes[node];
  const across = along === "y" ? "x" : "y";
  const [deep, long] = along === "y" ? ["w", "h"] : ["h", "w"];
  let half = Math.min(box[along], (along === "y" ? size.height : size.width) - box[along]) - 3;
  boxes.forEach((other, index) => {
    if (index === node || Math.abs(other[across] - box[across]) > (other[deep] + box[deep]) / 2 + 4) return;
    const gap = Math.abs(other[along] - box[along]);
    half = Math.min(half, other.bridge ? gap / 2 - 4 : gap - other[long] / 2 - 6);
  });
  return Math.max(box[long], 2 * half);
}

/** Distance of the lanes from the centre of a link and their greatest width; smaller where ports are dense. */
function laneStyle(graph, sides) {
  const tight = Math.min(24, ...sides.filter((side) => side.list.length > 1).map((side) => side.pitch));
  const lanes = graph.links.length <= TWO_LANES ? 2 : 1;
  const offset = lanes === 2 ? Math.max(0.6, Math.min(graph.links.length > 30 ? 2.6 : 3.2, tight * 0.16)) : 0;
  const widest = lanes === 2 ? Math.max(1, 2 * offset - 0.9) : Math.max(1.2, Math.min(3.4, tight * 0.6));
  return { lanes, offset, widest };
}

/** The length of the straight part of the links at a side, sufficient for a queue bar. */
function stubOf(graph, side, boxes, ends) {
  const hasQueue = graph.queues.some(({ port }) => {
    const at = graph.ports[port];
    return at && at.link >= 0 && side.list.some((item) => item.link === at.link && (item.which === 0) === at.forward);
  });
  let nearest = Infinity;
  for (const { other, link, which } of side.list) {
    const box = boxes[side.node];
    const far = boxes[other];
    const gap = side.out.x
      ? Math.abs(far.x - box.x) - (far.w + box.w) / 2
      : Math.abs(far.y - box.y) - (far.h + box.h) / 2;
    nearest = Math.min(nearest, gap);
    ends[link][which].pitch = side.pitch;
  }
  if (!hasQueue) return Math.max(0, Math.min(5, nearest * 0.1));
  const wanted = side.list.length === 1 ? 66 : side.out.x ? 46 : 32;
  return Math.max(6, Math.min(wanted, nearest * 0.28));
}

function placePorts(sides, ends, boxes) {
  for (const { node, side, list, out, pitch, stub } of sides) {
    const box = boxes[node];
    list.forEach(({ link, which }, index) => {
      const shift = (index - (list.length - 1) / 2) * pitch;
      const end = ends[link][which];
      end.alone = list.length === 1;
      end.out = out;
      end.stub = stub;
      end.x = box.x + (out.x * box.w) / 2 + (out.x ? 0 : shift);
      end.y = box.y + (out.y * box.h) / 2 + (out.y ? 0 : shift);
    });
  }
}

/** Right-hand normal on a screen whose y axis points down. */
const right = ({ x, y }) => ({ x: -y, y: x });

function linkShape(link, pair, style) {
  if (!pair) return null;
  const [a, b] = pair;
  const centre = curve(a, b, 0);
  const reverse = curve(b, a, style.offset);
  return { centre, forward: curve(a, b, style.offset), back: reverse, middle: pointOn(centre, 0.5) };
}

/** A curve from one port to another, `offset` to the right of the centre line in the direction of travel. */
function curve(from, to, offset) {
  const n0 = right(from.out);
  const n3 = right(to.out);
  const start = { x: from.x + n0.x * offset, y: from.y + n0.y * offset };
  const end = { x: to.x - n3.x * offset, y: to.y - n3.y * offset };
  const p0 = { x: start.x + from.out.x * from.stub, y: start.y + from.out.y * from.stub };
  const p3 = { x: end.x + to.out.x * to.stub, y: end.y + to.out.y * to.stub };
  const ahead = Math.abs((p3.x - p0.x) * from.out.x + (p3.y - p0.y) * from.out.y);
  const aside = Math.abs((p3.x - p0.x) * from.out.y) + Math.abs((p3.y - p0.y) * from.out.x);
  // Links that extend far sideways are almost straight: full curves would overlap halfway.
  const reach = Math.max(Math.min(14, 0.4 * ahead), 0.45 * ahead * Math.min(1, (0.7 * ahead) / (aside + 1)));
  const p1 = { x: p0.x + from.out.x * reach, y: p0.y + from.out.y * reach };
  const p2 = { x: p3.x + to.out.x * reach, y: p3.y + to.out.y * reach };
  if (offset) {
    // Moves the control points so that the lane keeps its distance in the steep middle of the curve.
    const along = { x: p3.x + p2.x - p1.x - p0.x, y: p3.y + p2.y - p1.y - p0.y };
    const length = Math.hypot(along.x, along.y) || 1;
    const n = right({ x: along.x / length, y: along.y / length });
    for (const axis of ["x", "y"]) {
      const shift = (offset * (8 * n[axis] - n0[axis] + n3[axis])) / 6;
      p1[axis] += shift - n0[axis] * offset;
      p2[axis] += shift + n3[axis] * offset;
    }
  }
  return [start, p0, p1, p2, p3, end];
}

function pointOn([, p0, p1, p2, p3], t) {
  const s = 1 - t;
  const mix = (axis) => s * s * s * p0[axis] + 3 * s * s * t * p1[axis] + 3 * s * t * t * p2[axis] + t * t * t * p3[axis];
  return { x: mix("x"), y: mix("y") };
}

/** The curve as SVG path data. */
export function pathData([start, p0, p1, p2, p3, end]) {
  const at = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return `M${at(start)}L${at(p0)}C${at(p1)} ${at(p2)} ${at(p3)}L${at(end)}`;
}

/** The curve as points, for dots that travel along it. */
export function polyline(shape, steps = 14) {
  const points = [shape[0]];
  for (let i = 0; i <= steps; i += 1) points.push(pointOn(shape, i / steps));
  points.push(shape[5]);
  return points;
}

/** A bar per queue along the outgoing lane, on its right-hand side. */
function placeBars(graph, ends, style) {
  return graph.queues.map(({ port }) => {
    const at = graph.ports[port];
    const pair = at && at.link >= 0 ? ends[at.link] : null;
    if (!pair) return null;
    const end = pair[at.forward ? 0 : 1];
    const edge = style.offset + style.widest / 2;
    const between = end.pitch - 2 * edge - 3;
    const thick = Math.min(13, between);
    // Where ports are dense, the bar covers the lane.
    const beside = thick >= 4;
    const depth = beside ? thick : Math.max(2.5, Math.min(8, end.pitch * 0.55));
    const near = beside ? edge + 2 : style.offset - depth / 2;
    const n = right(end.out);
    const length = Math.max(5, end.stub - 4);
    return {
      port, length, depth, readable: end.alone && depth >= 9 && length > 24,
      // The bar is drawn along +x from its origin, with its depth along the right-hand normal, and rotated into place.
      x: end.x + n.x * near + end.out.x * 2, y: end.y + n.y * near + end.out.y * 2,
      angle: Math.round((Math.atan2(end.out.y, end.out.x) * 180) / Math.PI),
      out: end.out,
    };
  });
}
