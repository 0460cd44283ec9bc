// Networks for the tests of drawings, and runs on them with a simple fluid model that is just accurate enough to move
// queues and rates.

const GIGABIT = 1e9;

function network(name, stations, bridges, links, flows, more = {}) {
  const nodes = [...stations.map((station) => ({ name: station, kind: "station" })), ...bridges.map((bridge) => ({ name: bridge, kind: "bridge" }))];
  const at = new Map(nodes.map((node, index) => [node.name, index]));
  const wires = links.map(([a, b, rate = 10 * GIGABIT]) => ({ a: at.get(a), b: at.get(b), rate_bps: rate }));
  const ports = wires.flatMap((wire, link) => [[wire.a, wire.b], [wire.b, wire.a]].map(([from, to]) => ({
    name: `${nodes[from].name}->${nodes[to].name}`, link, from, to, rate_bps: wire.rate_bps,
  })));
  return {
    name, description: "", seed: 1, duration_s: 0.1, interval_s: 1e-4, measure_from_s: 0.02, set_point_bytes: 33e3,
    flows: flows.map(([from, to], index) => ({ name: `flow ${index + 1}`, from: at.get(from), to: at.get(to) })),
    nodes, links: wires, ports, queues: [], events: [{ at_s: 0.03, label: "capacity halves" }, { at_s: 0.06, label: "capacity restored" }], ...more,
  };
}

const range = (count, text) => Array.from({ length: count }, (_, index) => text(index));

export function dumbbell(senders = 10) {
  const left = range(senders, (i) => `sender ${i + 1}`);
  const right = range(Math.max(1, senders / 2), (i) => `sink ${i + 1}`);
  const access = 2.5 * GIGABIT;
  const links = [...left.map((name) => [name, "B1", access]), ["B1", "B2"], ...right.map((name) => ["B2", name, access])];
  return network("Dumbbell", [...left, ...right], ["B1", "B2"], links, left.map((name, i) => [name, right[i % right.length]]));
}

export function star(senders = 2) {
  const left = range(senders, (i) => `S${i + 1}`);
  return network("Star", [...left, "R"], ["switch"], [...left, "R"].map((name) => [name, "switch"]), left.map((name) => [name, "R"]));
}

export function parkingLot(bridges = 4) {
  const row = range(bridges, (i) => `B${i + 1}`);
  const senders = row.map((_, i) => `S${i + 1}`);
  const links = [...row.slice(1).map((name, i) => [row[i], name]), ...row.map((name, i) => [senders[i], name]), ["R", row.at(-1)],
    ["X", row[1]], ["Y", row[2]]];
  const flows = [...senders.map((name) => [name, "R"]), [senders[0], "X"], [senders[1], "Y"]];
  return network("Parking lot", [...senders, "R", "X", "Y"], row, links, flows);
}

/** A fat tree of bridges with `k` ports: k³/4 hosts. */
export function fatTree(k = 4, count = 64) {
  const half = k / 2;
  const hosts = range((k * k * k) / 4, (i) => `h${i + 1}`);
  const edge = range(k * half, (i) => `E${i + 1}`);
  const aggregation = range(k * half, (i) => `A${i + 1}`);
  const core = range(half * half, (i) => `C${i + 1}`);
  const links = hosts.map((host, i) => [host, edge[Math.floor(i / half)]]);
  edge.forEach((name, i) => { for (let j = 0; j < half; j += 1) links.push([name, aggregation[Math.floor(i / half) * half + j]]); });
  aggregation.forEach((name, i) => { for (let j = 0; j < half; j += 1) links.push([name, core[(i % half) * half + j]]); });
  const flows = range(count, (i) => {
    const from = (i * 7) % hosts.length;
    const to = i % 8 === 0 ? 5 : (from + 3 + ((i * 11) % (hosts.length - 5))) % hosts.length;
    return [hosts[from], hosts[to === from ? (to + 1) % hosts.length : to]];
  });
  return network(`Fat tree, ${hosts.length} hosts`, hosts, [...edge, ...aggregation, ...core], links, flows);
}

/** Assigns positions as the server does: one column per layer. */
function inColumns(start) {
  const layers = { h: [], E: [], A: [], C: [] };
  for (const node of start.nodes) layers[node.name[0]].push(node);
  Object.values(layers).forEach((layer, column) => layer.forEach((node, index) => {
    node.x = column / 3;
    node.y = (index + 0.5) / layer.length;
  }));
  for (const node of start.nodes) if (node.kind === "station") node.name = node.name.replace("h", "host ");
  return start;
}

export const RUNS = {
  dumbbell: () => dumbbell(10), fattree: () => fatTree(4), star: () => star(2), incast: () => star(30), parking: () => parkingLot(4),
  columns: () => inColumns(fatTree(4)), large: () => fatTree(8, 64), huge: () => fatTree(12, 64),
};

/** Produces samples one by one. */
export class Run {
  constructor(start) {
    this.start = start;
    this.time = 0;
    this.noise = 12345;
    const paths = start.flows.map((flow, index) => route(start, flow, index));
    this.paths = paths;
    this.load = start.ports.map(() => 0);
    this.users = start.ports.map((_, port) => paths.flatMap((path, flow) => (path.includes(port) ? [flow] : [])));
    const contended = this.users.flatMap((users, port) => (start.nodes[start.ports[port].from].kind === "bridge" && users.length > 1 ? [port] : []));
    contended.sort((a, b) => this.users[b].length - this.users[a].length);
    start.queues = contended.slice(0, 32).map((port) => ({ name: start.ports[port].name.replace("->", " → "), port, capacity_bytes: 150e3 }));
    this.queue = start.ports.map(() => 0);
    this.paused = start.ports.map(() => 0);
    this.rate = start.flows.map((_, i) => (0.8 + 0.2 * ((i * 37) % 10) / 10) * 10 * GIGABIT);
    this.limit = start.flows.map(() => NaN);
    this.fair = start.ports.map(() => 10 * GIGABIT);
    this.wobble = start.flows.map(() => 1);
  }

  random() {
    this.noise = (this.noise * 1103515245 + 12345) % 2147483648;
    return this.noise / 2147483648;
  }

  /** `count` samples as columns. */
  next(count) {
    const { start } = this;
    const columns = (items) => items.map(() => []);
    const out = {
      time_s: [], "queue.length_bytes": columns(start.queues), "queue.largest_bytes": columns(start.queues), "queue.notifications": columns(start.queues),
      "flow.rate_bps": columns(start.flows), "flow.limit_bps": columns(start.flows), "flow.notifications": columns(start.flows),
      "port.utilisation_share": columns(start.ports), "port.paused_share": columns(start.ports),
    };
    for (let i = 0; i < count && this.time < start.duration_s - 1e-9; i += 1) this.#step(out);
    return out;
  }

  #step(out) {
    const { start } = this;
    const dt = start.interval_s;
    this.time += dt;
    const halved = this.time > 0.03 && this.time < 0.06 ? 0.5 : 1;
    const notified = start.flows.map(() => 0);
    const bottleneck = start.queues[0]?.port;
    this.load.fill(0);
    this.paths.forEach((path, flow) => { for (const port of path) this.load[port] += this.rate[flow]; });
    start.queues.forEach(({ port, capacity_bytes: capacity }, queue) => {
      const rate = start.ports[port].rate_bps * (port === bottleneck ? halved : 1);
      const before = this.queue[port];
      const after = Math.min(capacity, Math.max(0, before + ((this.load[port] - rate) * dt) / 8 / 6));
      this.queue[port] = after;
      let count = 0;
      // Each port steers the rate of its flows towards a queue at the set point.
      const push = (after - 33e3) / 33e3 + (4 * (after - before)) / 33e3;
      this.fair[port] = Math.min(rate, Math.max(rate / 200, this.fair[port] * (1 - Math.min(0.12, Math.max(-0.03, 0.012 * push)))));
      for (const flow of this.users[port]) {
        if (push <= 0 || this.random() > Math.min(0.3, 0.2 * push)) continue;
        count += 1;
        notified[flow] += 1;
        this.wobble[flow] = Math.max(0.6, this.wobble[flow] * 0.9);
        this.limit[flow] = this.rate[flow];
      }
      out["queue.length_bytes"][queue].push(after);
      out["queue.largest_bytes"][queue].push(Math.min(capacity, Math.max(before, after) * (1.02 + 0.1 * this.random())));
      out["queue.notifications"][queue].push(count);
      this.#pause(port, after > 0.8 * capacity);
    });
    this.rate.forEach((rate, flow) => {
      const target = Math.min(...this.paths[flow].map((port) => Math.min(start.ports[port].rate_bps, this.fair[port])));
      this.wobble[flow] += 0.03 * (1.05 - this.wobble[flow]) + 0.02 * (this.random() - 0.5);
      this.rate[flow] = rate + 0.4 * (target * this.wobble[flow] - rate);
      if (Number.isFinite(this.limit[flow])) this.limit[flow] = this.rate[flow] * 1.03;
      if (target > 9.5 * GIGABIT) this.limit[flow] = NaN;
      out["flow.rate_bps"][flow].push(this.rate[flow]);
      out["flow.limit_bps"][flow].push(Number.isNaN(this.limit[flow]) ? null : this.limit[flow]);
      out["flow.notifications"][flow].push(notified[flow]);
    });
    start.ports.forEach(({ rate_bps: rate }, port) => {
      const carried = this.queue[port] > 1500 ? 1 : Math.min(1, this.load[port] / rate);
      const factor = port === bottleneck ? halved : 1;
      out["port.utilisation_share"][port].push(carried * factor * (1 - this.paused[port]));
      out["port.paused_share"][port].push(this.paused[port]);
    });
    out.time_s.push(this.time);
  }

  /** A full queue pauses the ports that feed it. */
  #pause(port, full) {
    for (const path of this.paths) {
      const at = path.indexOf(port);
      if (at > 0) this.paused[path[at - 1]] = full ? 0.3 : 0;
    }
  }
}

/** Ports of a path; flows take different branches of equal length. */
function route(start, { from, to }, salt) {
  const hops = new Array(start.nodes.length).fill(Infinity);
  hops[to] = 0;
  for (let list = [to]; list.length;) {
    const next = [];
    for (const node of list) {
      for (const port of start.ports) if (port.to === node && hops[port.from] === Infinity) { hops[port.from] = hops[node] + 1; next.push(port.from); }
    }
    list = next;
  }
  const path = [];
  for (let node = from; node !== to;) {
    const options = start.ports.flatMap((port, index) => (port.from === node && hops[port.to] === hops[node] - 1 ? [index] : []));
    const port = options[(salt * 5 + path.length) % options.length];
    path.push(port);
    node = start.ports[port].to;
  }
  return path;
}
