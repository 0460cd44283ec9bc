// The gallery: built-in scenarios, experiments of the papers, and earlier results.

import { button, make, marked } from "./dom.js";
import { engine } from "./engine/engine.js";
import { pack } from "./link.js";
import { resolve } from "./network/network-graph.js";
import { layout } from "./network/network-layout.js";
import { notice } from "./notice.js";

const NS = "http://www.w3.org/2000/svg";
const MOST_DRAWN = 16; // nodes in one column of a thumbnail
const MOST_IN_RING = 64; // nodes of a network that is examined for a ring

export async function showGallery(host) {
  const search = make("input", { type: "search", placeholder: "Search", "aria-label": "Search the gallery", class: "gallery-search" });
  const lists = make("div");
  const contents = make("ul", { class: "gallery-contents" });
  host.append(make("div", { class: "page" },
    make("div", { class: "gallery-head" },
      make("div", {}, make("h1", {}, "Congestion control in lossless Ethernet"),
        make("p", { class: "lead" }, "Choose a scenario or an experiment from a paper, or write your own on the bench. Press run, and watch queues and rates while it runs.")),
      search),
    make("nav", { "aria-label": "Parts of the gallery" }, contents), lists));
  let found;
  try {
    found = await engine.gallery(true);
  } catch (error) {
    notice(error.message, "bad");
    return {};
  }
  const byName = new Map(found.scenarios.map((scenario) => [scenario.name, scenario]));
  const papers = [...new Set(found.experiments.map(({ paper }) => paper))];
  const none = found.results ? "There are none yet; `setpoint run` stores its results here." : "This page stores no results; `setpoint serve` shows those of `setpoint run` and of long sweeps.";
  const parts = [
    part("Lectures", "Steps for an audience, each with a run to watch.", found.lectures.map(lectureCard)),
    ...found.groups.map(({ title, sentence, scenarios }) => part(title, sentence, scenarios.map((name) => scenarioCard(byName.get(name))))),
    ...papers.map((paper) => part(paper, "Experiments of this paper, with our verdicts on its claims.", found.experiments.filter((experiment) => experiment.paper === paper).map(experimentCard))),
    part("Earlier results", found.results?.length ? "" : none, found.results?.map(resultCard) ?? []),
  ];
  lists.append(...parts);
  contents.append(...parts.map((section) => make("li", {}, button(section.getAttribute("aria-label"), () => {
    section.scrollIntoView();
    section.querySelector("h2").focus({ preventScroll: true });
  }, { class: "quiet" }))));
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const section of lists.children) {
      let visible = 0;
      for (const card of section.querySelectorAll("li")) {
        card.hidden = !words.every((word) => card.dataset.words.includes(word));
        visible += card.hidden ? 0 : 1;
      }
      section.hidden = words.length > 0 && visible === 0;
    }
  };
  search.addEventListener("input", filter);
  return {};
}

function part(title, sentence, cards) {
  return make("section", { "aria-label": title, class: "gallery-part" }, make("h2", { tabindex: "-1" }, title),
    sentence && make("p", { class: "note" }, marked(sentence)), cards.length > 0 && make("ul", { class: "cards" }, cards));
}

function card({ href, title, kicker, sentence, network, target, verdict }) {
  const link = make("a", { href, class: "card", target, rel: target && "noopener" },
    network === undefined ? null : thumbnail(network),
    kicker && make("span", { class: "kicker" }, kicker), make("strong", {}, title), make("span", { class: "sentence" }, sentence ?? ""), verdict && make("span", { class: "card-verdict" }, verdict));
  return make("li", { "data-words": `${kicker ?? ""} ${title} ${sentence ?? ""}`.toLowerCase() }, link);
}

const scenarioCard = (scenario) =>
  card({ href: `#/bench/scenario/${scenario.name}`, title: scenario.name, sentence: scenario.title, network: scenario.network });

const lectureCard = ({ id, title, description, steps }) =>
  card({ href: `#/lecture/${id}/1`, kicker: `${steps.length} steps`, title, sentence: description });

function experimentCard(experiment) {
  const { id, title, sentence, network, cases, verdicts } = experiment;
  const verdict = verdicts && `${verdicts.hold} of ${verdicts.claims} ${verdicts.claims === 1 ? "claim holds" : "claims hold"}`;
  const href = cases.length ? `#/bench/experiment/${encodeURIComponent(id)}/${encodeURIComponent(cases[0].name)}` : `#/bench/experiment/${encodeURIComponent(id)}`;
  return card({ href, kicker: id, title, sentence, network, verdict });
}

function resultCard(result) {
  const when = new Date(result.written * 1000).toLocaleString();
  const element = card({ href: result.page, target: "_blank", kicker: `${result.kind}, ${when}`, title: result.folder, sentence: result.description });
  if (result.text) {
    const open = make("a", { href: "#/bench", class: "more" }, "open on the bench");
    pack(result.text).then((packed) => { open.href = `#/bench/x/${packed}`; });
    element.append(open);
  }
  return element;
}

// A small drawing of a network: columns of nodes by their layers, stations as dots, bridges as squares.
function thumbnail(network) {
  const [width, height] = [200, 84];
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("thumbnail");
  const put = (name, attributes) => {
    const element = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    svg.append(element);
  };
  if (!network) {
    // Experiments without a network are calculations, so draw a phase plane.
    put("path", { d: "M30 74V10M30 42h140", class: "thumb-link" });
    put("path", { d: "M40 18c70 0 110 8 110 24s-60 22-80 10 10-22 30-10", class: "thumb-curve" });
    return svg;
  }
  const places = ringPlaces(network, width, height) ?? columnPlaces(network, width, height);
  for (const [from, to] of network.links) {
    if (!places.has(from) || !places.has(to)) continue;
    const [[x1, y1], [x2, y2]] = [places.get(from), places.get(to)];
    put("line", { x1, y1, x2, y2, class: "thumb-link" });
  }
  for (const [index, [x, y]] of places) {
    if (network.nodes[index][0]) put("rect", { x: x - 4, y: y - 4, width: 8, height: 8, rx: 2, class: "thumb-bridge" });
    else put("circle", { cx: x, cy: y, r: 2.5, class: "thumb-station" });
  }
  return svg;
}

// The places of a network whose bridges form a ring, as on the bench; null for other networks.
function ringPlaces({ nodes, links }, width, height) {
  if (nodes.length > MOST_IN_RING) return null;
  const graph = resolve({
    nodes: nodes.map(([isBridge], index) => ({ name: String(index), kind: isBridge ? "bridge" : "station" })),
    links: links.map(([a, b]) => ({ a, b })),
  });
  const { kind, x, y } = layout(graph);
  return kind === "ring" ? new Map(nodes.map((_, index) => [index, [10 + x[index] * (width - 20), 5 + y[index] * (height - 10)]])) : null;
}

// In a long column, a few evenly spaced nodes represent all nodes.
function columnPlaces(network, width, height) {
  const columns = new Map();
  network.nodes.forEach(([isBridge, layer], index) => {
    const key = layer * 2 + (isBridge ? 1 : 0);
    if (!columns.has(key)) columns.set(key, []);
    columns.get(key).push(index);
  });
  const order = [...columns.keys()].sort((one, other) => one - other);
  const places = new Map();
  order.forEach((key, column) => {
    const members = columns.get(key).filter((_, row, all) => all.length <= MOST_DRAWN || row % Math.ceil(all.length / MOST_DRAWN) === 0);
    members.forEach((index, row) => {
      const x = order.length === 1 ? width / 2 : 14 + (column * (width - 28)) / (order.length - 1);
      places.set(index, [x, ((row + 0.5) * height) / members.length]);
    });
  });
  return places;
}
