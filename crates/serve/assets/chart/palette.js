// Colours and fonts of the plots, read from the custom properties of the page.

const NAMES = ["--paper", "--ink", "--muted", "--rule", "--grid", "--event", "--accent", "--s0", "--s1", "--s2", "--s3", "--s4", "--s5"];

/** The colours of the current theme: `palette.of("--ink")`, `palette.family`. */
export function readPalette() {
  const style = getComputedStyle(document.documentElement);
  const known = new Map();
  const of = (name) => {
    if (!known.has(name)) known.set(name, style.getPropertyValue(name).trim() || "currentcolor");
    return known.get(name);
  };
  return { of, family: style.getPropertyValue("--sans").trim() || "sans-serif" };
}

/** The colours of the light theme, whatever the current theme; `more` names further properties. For files and printing. */
export function lightPalette(more = []) {
  const root = document.documentElement;
  const theme = root.getAttribute("data-theme");
  // Nothing is painted in between: the attribute is restored before this function returns.
  root.setAttribute("data-theme", "light");
  const palette = readPalette();
  for (const name of [...NAMES, ...more]) palette.of(name);
  if (theme === null) root.removeAttribute("data-theme");
  else root.setAttribute("data-theme", theme);
  return palette;
}

const DASHES = [[], [6, 3], [2, 2], [9, 3, 2, 3], [12, 4], [4, 2, 1, 2, 1, 2], [1, 3], [8, 2, 4, 2], [3, 5], [14, 3, 3, 3], [5, 5]];

/** Colour and dash of the n-th series: six colours, then the same colours with dashes. */
export function seriesStyle(index) {
  return { colour: `--s${index % 6}`, dash: DASHES[Math.floor(index / 6) % DASHES.length] };
}

let ruler = null;

/** The width of text in pixels. */
export function textWidth(text, size, family) {
  ruler ??= document.createElement("canvas").getContext("2d");
  ruler.font = `${size}px ${family}`;
  return ruler.measureText(text).width;
}
