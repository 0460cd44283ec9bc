// Help for the key under the pointer, from the JSON schema.

import { make } from "../dom.js";
import { keyDetail } from "./completion.js";
import { describe, nodesAt } from "./schema.js";
import { parse } from "./toml-tree.js";

// A tooltip for CodeMirror, or null if there is nothing to say about the position.
export function helpAt(schema, text, at) {
  const found = keyAt(text, at);
  const nodes = found ? nodesAt(schema, found.path) : [];
  if (!describe(nodes)) return null;
  const key = found.path.join(".");
  const dom = make("div", { class: "editor-explanation" }, make("code", {}, key), " ", make("span", { class: "editor-note" }, keyDetail(nodes)), make("p", {}, describe(nodes)));
  return { pos: found.from, end: found.to, above: true, create: () => ({ dom }) };
}

// The key at an offset: `{ path, from, to }` with its path from the root, or null.
export function keyAt(text, at) {
  const isHere = ({ from, to }) => from <= at && at < to;
  const inEntries = (entries, base) => {
    const entry = entries.find(isHere);
    if (!entry) return null;
    const path = [...base, ...entry.keys.map((key) => key.text)];
    const index = entry.keys.findIndex(isHere);
    if (index >= 0) return { path: path.slice(0, base.length + index + 1), from: entry.keys[index].from, to: entry.keys[index].to };
    return inValue(entry.value, path);
  };
  const inValue = (value, path) => {
    const index = value.items?.findIndex(isHere) ?? -1;
    if (index >= 0) return inValue(value.items[index], [...path, String(index + 1)]);
    return value.entries ? inEntries(value.entries, path) : null;
  };
  for (const table of parse(text).tables) {
    if (isHere(table)) return { path: table.path, from: table.from, to: table.to };
    const found = inEntries(table.entries, table.path);
    if (found) return found;
  }
  return null;
}
