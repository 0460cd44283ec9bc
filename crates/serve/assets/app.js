// The page: the view that is shown, its colours, and short notices.

import { showBench } from "./bench.js";
import { showCompare } from "./compare.js";
import { showGallery } from "./gallery.js";

const view = document.getElementById("view");
const themeButton = document.getElementById("theme");
const THEMES = { auto: "as the system", light: "light", dark: "dark" };
let current = null; // the shown view: { repaint(), destroy() }

// The colour theme. A browser may deny access to storage.
let theme = "auto";
try {
  theme = localStorage.getItem("setpoint-theme") ?? "auto";
} catch {}

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
  try {
    localStorage.setItem("setpoint-theme", theme);
  } catch {}
  paint();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
paint();

const VIEWS = { "": showGallery, bench: showBench, compare: showCompare };

async function route() {
  const path = location.hash.replace(/^#\/?/, "");
  const [name, ...rest] = path.split("/");
  current?.destroy?.();
  current = null;
  view.replaceChildren();
  const show = VIEWS[name] ?? showGallery;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === (name || "gallery")) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  current = await show(view, rest.map(decodeURIComponent));
}

addEventListener("hashchange", route);
route();
