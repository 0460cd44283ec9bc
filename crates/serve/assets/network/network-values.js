// The text of the tooltips: values of a link, a queue or a node at one sample.

import { quantity } from "../chart/format.js";
import { percent } from "./network-dom.js";

/** Reads one sample; without samples every value is NaN. */
export function reader(history, index) {
  return (kind, item) => (history && item >= 0 && index >= 0 ? history.column(kind, item)[index] : NaN);
}

const text = (value, unit) => (Number.isFinite(value) ? quantity(value, unit, 3) : "–");

export function describeLink(graph, link, read) {
  const { a, b, rate, forward, back } = graph.links[link];
  const name = (node) => graph.nodes[node]?.name ?? "?";
  const row = (from, to, port) => {
    const share = read("port.utilisation_share", port);
    return [`${name(from)} → ${name(to)}`, percent(share), text(share * (graph.ports[port]?.rate ?? rate), "b/s"),
      percent(read("port.paused_share", port))];
  };
  const rows = [[a, b, forward], [b, a, back]].filter(([, , port]) => port >= 0).map((line) => row(...line));
  return { title: `Link, ${quantity(rate, "b/s", 3)}`, head: ["Direction", "Load", "Rate", "Paused"], rows };
}

export function describeQueue(graph, queue, read, { setPoint, scale }) {
  const { name, port, capacity } = graph.queues[queue];
  const rows = [
    ["Length at the sample", text(read("queue.length_bytes", queue), "B")],
    ["Mean in interval", text(read("queue.mean_bytes", queue), "B")],
    ["Maximum in interval", text(read("queue.largest_bytes", queue), "B")],
  ];
  if (setPoint !== null) rows.push(["Set point", quantity(setPoint, "B", 3)]);
  rows.push(capacity === null ? ["Full bar (no capacity given)", text(scale, "B")] : ["Capacity", quantity(capacity, "B", 3)]);
  rows.push(
    ["Notifications in interval", text(read("queue.notifications", queue), "")],
    ["Load of port", percent(read("port.utilisation_share", port))],
    ["Port paused", percent(read("port.paused_share", port))],
  );
  return { title: `Queue ${name}`, rows };
}

export function describeNode(graph, node, read) {
  const { name, kind } = graph.nodes[node];
  const rows = kind === "bridge" ? bridgeRows(graph, node, read) : stationRows(graph, node, read);
  return { title: `${kind === "bridge" ? "Bridge" : "Station"} ${name}`, rows };
}

function bridgeRows(graph, node, read) {
  const ports = graph.ports.flatMap((port, index) => (port.from === node ? [index] : []));
  const rows = [["Ports", String(ports.length)]];
  const busiest = ports.reduce((best, port) => (read("port.utilisation_share", port) > (read("port.utilisation_share", best) || 0) ? port : best), ports[0]);
  if (busiest !== undefined) {
    const to = graph.nodes[graph.ports[busiest].to]?.name ?? "?";
    rows.push([`Busiest output, to ${to}`, percent(read("port.utilisation_share", busiest))]);
  }
  const queues = graph.queues.flatMap((queue, index) => (ports.includes(queue.port) ? [index] : []));
  for (const queue of queues.slice(0, 4)) {
    rows.push([`Queue to ${graph.nodes[graph.ports[graph.queues[queue].port].to]?.name ?? "?"}`, text(read("queue.length_bytes", queue), "B")]);
  }
  if (queues.length > 4) rows.push([queues.length === 5 ? "1 more queue" : `${queues.length - 4} more queues`, ""]);
  const paused = ports.filter((port) => read("port.paused_share", port) > 0).length;
  rows.push(["Paused ports", String(paused)]);
  return rows;
}

function stationRows(graph, node, read) {
  const total = (flows, kind) => flows.reduce((sum, flow) => sum + (read(kind, flow) || 0), 0);
  const of = (key) => graph.flows.flatMap((flow, index) => (flow[key] === node ? [index] : []));
  const sends = of("from");
  const receives = of("to");
  const rows = [];
  if (sends.length) {
    rows.push([sends.length === 1 ? "Sends, 1 flow" : `Sends, ${sends.length} flows`, text(total(sends, "flow.rate_bps"), "b/s")]);
    const limited = sends.filter((flow) => Number.isFinite(read("flow.limit_bps", flow)));
    rows.push(["Rate limit", limited.length ? text(total(limited, "flow.limit_bps"), "b/s") : "none"]);
    rows.push(["Notifications in interval", text(total(sends, "flow.notifications"), "")]);
    if (graph.hasSources) {
      const trips = sends.map((flow) => read("source.round_trip_s", flow)).filter(Number.isFinite);
      if (trips.length) rows.push([sends.length === 1 ? "Round-trip time" : "Longest round-trip time", text(Math.max(...trips), "s")]);
      const limited = sends.filter((flow) => Number.isFinite(read("source.window_bytes", flow)));
      if (limited.length) rows.push([sends.length === 1 ? "Window" : "Windows, sum", text(total(limited, "source.window_bytes"), "B")]);
      rows.push(["In flight", text(total(sends, "source.in_flight_bytes"), "B")]);
    }
  }
  if (receives.length) {
    const label = receives.length === 1 ? "Receives, 1 flow" : `Receives, ${receives.length} flows`;
    rows.push([label, text(total(receives, "flow.rate_bps"), "b/s")]);
  }
  const port = graph.ports.findIndex(({ from }) => from === node);
  if (port >= 0) {
    rows.push(["Load of its port", percent(read("port.utilisation_share", port))]);
    rows.push(["Port paused", percent(read("port.paused_share", port))]);
  }
  return rows;
}
