// The gallery: built-in scenarios, experiments of the papers, and earlier results.

import { make } from "./dom.js";
import { engine } from "./engine/engine.js";
import { pack } from "./link.js";
import { notice } from "./notice.js";

const NS = "http://www.w3.org/2000/svg";
const MOST_DRAWN = 16; // nodes in one column of a thumbnail

export async function showGallery(host) {
  const search = make("input", { type: "search", placeholder: "Search", "aria-label": "Search the gallery", class: "gallery-search" });
  const lists = make("div");
  host.append(make("div", { class: "page" },
    make("div", { class: "gallery-head" },
      make("div", {}, make("h1", {}, "Congestion control in lossless Ethernet"),
        make("p", { class: "lead" }, "Choose a scenario or an experiment from a paper, or write your own on the bench. Press run, and watch queues and rates while it runs.")),
      search),
    lists));
  let found;
  try {
    found = await engine.gallery(true);
  } catch (error) {
    notice(error.message, "bad");
    return {};
  }
  const sections = [
    ["Scenarios", found.scenarios.map(scenarioCard)],
    ["Experiments of the papers", found.experiments.map(experimentCard)],
    ["Earlier results", found.results?.map(resultCard) ?? []],
  ];
  const none = found.results ? "There are none yet; `setpoint run` stores its results here." : "This page stores no results; `setpoint serve` shows those of `setpoint run` and of long sweeps.";
  for (const [title, cards] of sections) {
    const section = make("section", { "aria-label": title }, make("h2", {}, title));
    if (cards.length) section.append(make("ul", { class: "cards" }, cards));
    else section.append(make("p", { class: "note" }, none));
    lists.append(section);
  }
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

function card({ href, title, kicker, sentence, network, target }) {
  const link = make("a", { href, class: "card", target, rel: target && "noopener" },
    network === undefined ? null : thumbnail(network),
    kicker && make("span", { class: "kicker" }, kicker), make("strong", {}, title), make("span", { class: "sentence" }, sentence ?? ""));
  return make("li", { "data-words": `${kicker ?? ""} ${title} ${sentence ?? ""}`.toLowerCase() }, link);
}

const scenarioCard = (scenario) =>
  card({ href: `#/bench/scenario/${scenario.name}`, title: scenario.name, sentence: scenario.title, network: scenario.network });

function experimentCard(experiment) {
  const { id, title, sentence, network, cases } = experiment;
  const href = cases.length ? `#/bench/experiment/${encodeURIComponent(id)}/${encodeURIComponent(cases[0].name)}` : `#/bench/experiment/${encodeURIComponent(id)}`;
  return card({ href, kicker: id, title, sentence, network });
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
    // Experiments without a network are computed: draw the phase plane that they study.
    put("path", { d: "M30 74V10M30 42h140", class: "thumb-link" });
    put("path", { d: "M40 18c70 0 110 8 110 24s-60 22-80 10 10-22 30-10", class: "thumb-curve" });
    return svg;
  }
  // In a long column, a few evenly spaced nodes represent all nodes.
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
