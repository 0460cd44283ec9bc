// The page: the view that is shown, its colours, and short notices.

import { showBench, showFigure } from "./bench.js";
import { showCompare } from "./compare.js";
import { showGallery } from "./gallery.js";
import { showLecture } from "./lecture.js";
import { keepOffline } from "./offline.js";
import { keepSetting, keptSetting } from "./setting.js";

const view = document.getElementById("view");
const themeButton = document.getElementById("theme");
const THEMES = { auto: "auto", light: "light", dark: "dark" };
let current = null; // the shown view: { repaint(), destroy() }

let theme = keptSetting("theme") ?? "auto";

function paint() {
  if (!(theme in THEMES)) theme = "auto";
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  themeButton.textContent = `Colours: ${THEMES[theme]}`;
  current?.repaint?.();
}

themeButton.addEventListener("click", () => {
  const names = Object.keys(THEMES);
  theme = names[(names.indexOf(theme) + 1) % names.length];
  keepSetting("theme", theme);
  paint();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
paint();

const VIEWS = { "": showGallery, bench: showBench, compare: showCompare, figure: showFigure, lecture: showLecture };

async function route() {
  const path = location.hash.replace(/^#\/?/, "");
  const [name, ...rest] = path.split("/");
  current?.destroy?.();
  current = null;
  view.replaceChildren();
  const show = VIEWS[name] ?? showGallery;
  // A figure is the bench in a frame of another page.
  document.body.classList.toggle("framed", name === "figure");
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === (name || "gallery")) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  current = await show(view, rest.map(decoded));
}

// If a user typed the address, its parts might not be percent-encoded.
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

addEventListener("hashchange", route);
route();
keepOffline();
