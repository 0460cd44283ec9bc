// The mark on results that belong to an earlier version of the input on the page.

import { button, make } from "./dom.js";

const MOST_NAMED = 2; // changes that are named one by one

/** Bar with the reason and a button to run again. `host` gets the class `stale`, which dims its results. */
export class StaleMark {
  constructor(host, { title, label = "Run", run }) {
    this.host = host;
    this.reason = make("span", { class: "stale-reason" });
    this.button = button(label, run, { class: "primary" });
    this.element = make("div", { class: "stale-mark", role: "status", hidden: true },
      make("strong", {}, title), this.reason, this.button);
  }

  /** `reason` is null if the results are up to date. */
  show(reason, { disabled = false } = {}) {
    const isStale = reason !== null;
    this.host.classList.toggle("stale", isStale);
    this.element.hidden = !isStale;
    this.button.disabled = disabled;
    if (isStale && this.reason.textContent !== reason) this.reason.textContent = reason;
  }
}

/** A short description of the difference between two texts; null if there is none. */
export function textChange(before, after) {
  if (before === after) return null;
  let [old, now] = [before.split("\n"), after.split("\n")];
  while (old.length && now.length && old[0] === now[0]) [old, now] = [old.slice(1), now.slice(1)];
  while (old.length && now.length && old.at(-1) === now.at(-1)) [old, now] = [old.slice(0, -1), now.slice(0, -1)];
  if (old.length !== now.length) return `${lines(Math.max(old.length, now.length))} changed since`;
  const changed = old.map((line, index) => [line, now[index]]).filter(([one, other]) => one !== other);
  if (changed.length > MOST_NAMED) return `${lines(changed.length)} changed since`;
  return changed.map(([one, other]) => lineChange(one, other)).join("; ");
}

const lines = (count) => `${count} line${count === 1 ? "" : "s"}`;

// The change of a line, such as `set_point: "26 kB" → "40 kB"`, without the comments after the values.
function lineChange(before, after) {
  const [one, other] = [before, after].map((line) => /^\s*([\w."-]+)\s*=\s*(.*?)\s*(?:\s#.*)?$/.exec(line));
  if (one && other && one[1] === other[1] && one[2] !== other[2]) return `${one[1]}: ${one[2]} → ${other[2]}`;
  return "1 line changed since";
}
