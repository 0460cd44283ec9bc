(() => {
"use strict";
// The search. The index is loaded on first use; see search.rs for its format. All of it works without a server.
const input = document.getElementById("site-search"), list = document.getElementById("site-found"), count = document.getElementById("site-found-count");
const site = new URL("..", document.currentScript.src).href, most = 20;
let sections = null, loading = false, chosen = -1;

const load = () => {
  if (loading) return;
  loading = true;
  const script = document.createElement("script");
  script.src = site + "assets/index.js";
  script.onload = () => {
    // The title of a page is also the heading of its beginning.
    sections = globalThis.setpointIndex.map(([address, page, section, text]) => ({ address, page, section, text, low: [page, section || page, text].map(one => one.toLowerCase()) }));
    search();
  };
  script.onerror = () => { loading = false; };
  document.head.append(script);
};

// A search word matches at the beginning of a word in the text or, with less weight, inside a word.
const at = (text, word) => {
  for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + 1)) {
    if (from === 0 || !/[\p{L}\p{N}]/u.test(text[from - 1])) return { from, starts: true };
  }
  const from = text.indexOf(word);
  return from < 0 ? null : { from, starts: false };
};
const weights = [8, 12, 2];
const score = (section, words) => {
  let sum = 0;
  for (const word of words) {
    let best = 0;
    section.low.forEach((text, field) => {
      const found = at(text, word);
      if (found) best += weights[field] * (found.starts ? 2 : 1) * (field < 2 && (text === word || text.startsWith(word + ":")) ? 3 : 1);
    });
    if (best === 0) return 0;
    sum += best;
  }
  // The beginning of a page comes before its sections, and a chapter before the experiments on its subject.
  return sum + (section.section ? 0 : section.address.startsWith("book/") ? 10 : 1);
};

const marked = (parent, text, words) => {
  const low = text.toLowerCase();
  let done = 0;
  while (done < text.length) {
    const hits = words.map(word => [low.indexOf(word, done), word.length]).filter(([from]) => from >= 0).sort((a, b) => a[0] - b[0] || b[1] - a[1]);
    if (!hits.length || low.length !== text.length) break;
    const [from, length] = hits[0], mark = document.createElement("mark");
    mark.textContent = text.slice(from, from + length);
    parent.append(text.slice(done, from), mark);
    done = from + length;
  }
  parent.append(text.slice(done));
};
const excerpt = (section, words) => {
  const places = words.map(word => at(section.low[2], word)).filter(Boolean).map(found => found.from);
  const middle = places.length ? Math.min(...places) : 0, from = middle < 60 ? 0 : section.text.indexOf(" ", middle - 50) + 1;
  const cut = section.text.slice(from, from + 170);
  return (from ? "… " : "") + (from + 170 < section.text.length ? cut.slice(0, cut.lastIndexOf(" ")) + " …" : cut);
};

const close = () => {
  list.hidden = true;
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
  chosen = -1;
};
const choose = place => {
  const links = [...list.querySelectorAll("a")];
  if (!links.length) return;
  chosen = (place + links.length) % links.length;
  links.forEach((link, index) => link.setAttribute("aria-selected", String(index === chosen)));
  input.setAttribute("aria-activedescendant", links[chosen].id);
  links[chosen].scrollIntoView({ block: "nearest" });
};
const search = () => {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length || !sections) { count.textContent = ""; return close(); }
  const found = sections.map(section => [score(section, words), section]).filter(([points]) => points > 0).sort((a, b) => b[0] - a[0]);
  list.textContent = "";
  found.slice(0, most).forEach(([, section], index) => {
    const link = document.createElement("a"), head = document.createElement("b"), text = document.createElement("span");
    link.href = site + section.address;
    link.id = "site-found-" + index;
    link.tabIndex = -1;
    link.setAttribute("role", "option");
    link.setAttribute("aria-selected", "false");
    marked(head, section.section || section.page, words);
    marked(text, excerpt(section, words), words);
    link.append(head);
    if (section.section) {
      const page = document.createElement("i");
      page.textContent = " · " + section.page;
      link.append(page);
    }
    link.append(text);
    link.onclick = close;
    list.append(link);
  });
  if (!found.length) {
    const none = document.createElement("p");
    none.textContent = "Nothing found.";
    list.append(none);
  }
  count.textContent = found.length === 1 ? "One result" : `${found.length} results`;
  list.hidden = false;
  list.scrollTop = 0;
  input.setAttribute("aria-expanded", "true");
  if (found.length) choose(0);
};

document.querySelector(".search").hidden = false;
input.addEventListener("focus", load);
input.addEventListener("input", () => { load(); search(); });
input.addEventListener("keydown", event => {
  if (event.key === "Escape") {
    if (list.hidden) input.blur();
    close();
  } else if (!list.hidden && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
  } else if (event.key === "Enter" && !list.hidden && chosen >= 0) {
    event.preventDefault();
    list.querySelectorAll("a")[chosen].click();
  } else if (event.key === "ArrowDown" && list.hidden) {
    search();
  }
});
document.addEventListener("keydown", event => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName) || document.activeElement.isContentEditable;
  if ((event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) || (event.key === "k" && (event.ctrlKey || event.metaKey))) {
    event.preventDefault();
    input.focus();
    input.select();
  }
});
document.addEventListener("click", event => { if (!event.target.closest(".search")) close(); });

// Browsers load no modules from files, so without a server there is no laboratory.
if (location.protocol === "file:") {
  for (const link of document.querySelectorAll("a[href]")) if (link.href.startsWith(site + "lab/")) link.remove();
  for (const place of document.querySelectorAll(".trials")) place.textContent = "This figure can be run and changed if a file server provides the site.";
}

// Figures that run in place: a link shows the laboratory in a frame below the figure, and hides it
// again.
for (const link of document.querySelectorAll(".trial")) {
  const place = link.closest(".trials");
  let frame = null;
  link.setAttribute("role", "button");
  link.setAttribute("aria-expanded", "false");
  const toggle = () => {
    const isShown = !frame;
    for (const other of place.querySelectorAll("[aria-expanded=true]")) if (other !== link) other.click();
    if (isShown) {
      frame = document.createElement("iframe");
      frame.className = "trial-frame";
      frame.title = "Laboratory: " + link.dataset.name;
      frame.src = link.dataset.figure;
      place.after(frame);
    } else {
      frame.remove();
      frame = null;
    }
    link.setAttribute("aria-expanded", String(isShown));
  };
  link.addEventListener("click", event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    toggle();
  });
  link.addEventListener("keydown", event => {
    if (event.key !== " ") return;
    event.preventDefault();
    toggle();
  });
}

// A service worker keeps the site for use without a network. Browsers have none for files and for servers without encryption.
if (navigator.serviceWorker && location.protocol.startsWith("http")) navigator.serviceWorker.register(site + "worker.js").catch(() => {});

// The section that is being read, in the table of contents; and the current chapter, in the list of chapters.
const entries = new Map([...document.querySelectorAll(".on-this-page a")].map(link => [link.hash.slice(1), link]));
const headings = [...document.querySelectorAll(".chapter :is(h2,h3)[id]")].filter(heading => entries.has(heading.id));
let current = null, waiting = false;
const follow = () => {
  waiting = false;
  const read = headings.filter(heading => heading.getBoundingClientRect().top < 120).pop(), link = read && entries.get(read.id);
  if (link === current) return;
  if (current) current.removeAttribute("aria-current");
  current = link;
  if (link) link.setAttribute("aria-current", "true");
};
addEventListener("scroll", () => { if (!waiting) { waiting = true; requestAnimationFrame(follow); } }, { passive: true });
follow();
const chapters = document.getElementById("site-chapters"), here = chapters && chapters.querySelector("[aria-current]");
if (here && chapters.scrollHeight > chapters.clientHeight) chapters.scrollTop = here.offsetTop - chapters.offsetTop - chapters.clientHeight / 2;
})();
