// Tables, keys and values of TOML text with their positions, from CodeMirror's syntax tree.
//
// It reports positions, not errors: `setpoint` itself checks the scenario. Statements that are not finished are left out.

import { parser } from "../vendor/codemirror.min.js";

const CLOSED = /^(?:"""[^]*"""|'''[^]*'''|"(?:[^"\\]|\\.)*"|'[^']*')$/;

// Reads TOML from `text`. Returns `{ tables }`: the root table first, then one table per header.
// A table is { path, array, from, to, headerTo, entries }. `path` is an array of strings; an element of an array of
// tables has its index, counted from 1, after the name: "flows", "2". `from` and `to` are the range of the header, which
// is empty for the root table. `headerTo` is the end of the header's line.
// An entry is { keys: [{ text, from, to }], from, to, value }.
// A value is { kind: "string" | "scalar" | "array" | "table", from, to, items | entries }.
// The last text is kept: while a line is edited, completion reads the rest of the text again and again.
export function parse(text) {
  if (last.text !== text) last = { text, doc: read(text) };
  return last.doc;
}

let last = { text: null, doc: null };

function read(text) {
  const tables = [{ path: [], array: false, from: 0, to: 0, headerTo: 0, entries: [] }];
  const lengths = new Map(); // arrays of tables: path without the last index → number of elements
  for (const node of children(parser.parse(text).topNode)) {
    if (node.name === "Pair") {
      const entry = entryAt(node, text);
      if (entry) tables.at(-1).entries.push(entry);
    } else if (node.name === "Header" || node.name === "ArrayHeader") {
      const keys = keysAt(node.getChild("Key"), text);
      if (!keys || !text.slice(node.from, node.to).endsWith(node.name === "Header" ? "]" : "]]")) continue;
      const array = node.name === "ArrayHeader";
      const path = absolute(keys.map((key) => key.text), array, lengths);
      tables.push({ path, array, from: node.from, to: node.to, headerTo: lineEnd(text, node.from), entries: [] });
    }
  }
  return { tables };
}

// The parts of a dotted key: `sweep."a.b"` gives ["sweep", "a.b"].
export function splitKey(key) {
  const node = parser.parse(key).topNode.firstChild?.getChild("Key");
  const keys = node?.from === 0 && node.to === key.length ? keysAt(node, key) : null;
  if (!keys) throw new RangeError(`not a key: ${key}`);
  return keys.map((part) => part.text);
}

// A key as written in TOML, quoted where necessary.
export function writeKey(parts) {
  return parts.map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part))).join(".");
}

// The child nodes of a node, without comments and those that mark errors.
export function children(node) {
  const found = [];
  for (let child = node.firstChild; child; child = child.nextSibling) if (!child.type.isError && child.name !== "Comment") found.push(child);
  return found;
}

// The parts of a Key node, or null if it is not complete.
export function keysAt(node, text) {
  const parts = node ? children(node).filter((child) => child.name !== "Dot") : [];
  const dots = node?.getChildren("Dot").length;
  if (parts.length !== dots + 1 || !parts.every((part) => part.name === "BareKey" || isClosed(part, text))) return null;
  return parts.map(({ name, from, to }) => ({ text: name === "String" ? unquote(text.slice(from, to)) : text.slice(from, to), from, to }));
}

const isClosed = (node, text) => CLOSED.test(text.slice(node.from, node.to));

function entryAt(node, text) {
  const keys = keysAt(node.getChild("Key"), text);
  const value = node.getChild("Equals") && valueAt(children(node).at(-1), text);
  return keys && value ? { keys, from: node.from, to: value.to, value } : null;
}

// A value, or null if it is not complete.
function valueAt(node, text) {
  const { from, to } = node;
  switch (node.name) {
    case "String":
    case "LongString": return isClosed(node, text) ? { kind: "string", from, to } : null;
    case "Scalar":
    case "Boolean": return { kind: "scalar", from, to };
    case "Array": return listAt(node, text, "]", { kind: "array", from, to }, "items", valueAt);
    case "InlineTable": return listAt(node, text, "}", { kind: "table", from, to }, "entries", entryAt);
    default: return null;
  }
}

function listAt(node, text, close, value, name, read) {
  const parts = children(node);
  value[name] = parts.filter((part) => !/^[[\]{},]$/.test(part.name)).map((part) => read(part, text));
  return parts.at(-1).name === close && value[name].every(Boolean) ? value : null;
}

// The start of the line after `at`.
function lineEnd(text, at) {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

// Inserts the indices of arrays of tables: the second [[flows]] is flows.2, and a [flows.traffic] after it is
// flows.2.traffic.
function absolute(keys, array, lengths) {
  const path = [];
  keys.forEach((key, index) => {
    path.push(key);
    const id = path.join("\0");
    if (array && index === keys.length - 1) lengths.set(id, (lengths.get(id) ?? 0) + 1);
    if (lengths.has(id)) path.push(String(lengths.get(id)));
  });
  return path;
}

function unquote(literal) {
  if (literal[0] === "'") return literal.slice(1, -1);
  try {
    return JSON.parse(literal);
  } catch {
    return literal.slice(1, -1);
  }
}
