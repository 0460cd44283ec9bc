// Completion of TOML from a JSON schema: which keys, table headers or values are valid at a position in the text.

import { parser } from "../vendor/codemirror.min.js";
import { defaultOf, describe, expand, isChoice, isEmpty, isTable, keysOf, nodesAt, tablesOf } from "./schema.js";
import { children, keysAt, parse, splitKey, writeKey } from "./toml-tree.js";

const UNITS = ["B", "kB", "MB", "GB", "KiB", "MiB", "b/s", "kb/s", "Mb/s", "Gb/s", "s", "ms", "us", "ns", "%", "ppm", "ppb"];

// Completions at `offset`: `{ from, to, items }` or null. An item is
//   { label, detail, description, insert, caret, kind: "key" | "table" | "value", again }
// Insert it in place of from..to; `caret` is the position of the caret in `insert`; `again` requests another completion.
// Without `asked` (the user is typing) there are no completions where they would only get in the way. `tree` is the syntax tree
// of the text, at least up to the offset.
export function complete(schema, text, offset, asked = true, tree = parser.parse(text)) {
  const lineFrom = text.lastIndexOf("\n", offset - 1) + 1;
  const found = text.indexOf("\n", offset);
  const lineTo = found < 0 ? text.length : found;
  const start = statementStart(tree, text, lineFrom);
  const doc = parse(`${text.slice(0, start)}\n${text.slice(lineTo)}`);
  const table = doc.tables.findLast((each) => each.from < start || each.path.length === 0);
  const place = { schema, text, offset, lineTo, doc, index: indexOf(doc), table, asked };

  const header = /^\s*(\[\[?)/.exec(text.slice(lineFrom, offset));
  if (header && start === lineFrom) return headers(place, lineFrom + header[0].length - header[1].length);
  const cursor = trace(text.slice(start, offset));
  if (!cursor) return null;
  const path = [...table.path, ...cursor.path];
  const from = start + cursor.from;
  const result = cursor.key ? keys(place, path, from, cursor) : values(place, path, from);
  if (!result || result.items.length === 0) return null;
  return result;
}

// The start of the statement that contains a line: long strings and arrays span several lines.
function statementStart(tree, text, lineFrom) {
  const node = tree.topNode.childAfter(lineFrom);
  return node && node.from < lineFrom ? text.lastIndexOf("\n", node.from - 1) + 1 : lineFrom;
}

// Follows a statement up to the caret, where it ends: the path of keys around the caret, and whether a key or a value is
// being written from `from`. Null in a comment.
function trace(statement) {
  const { topNode } = parser.parse(statement);
  if (topNode.resolveInner(statement.length, -1).name === "Comment") return null;
  const cursor = { key: true, path: [], from: statement.length, present: [], inline: false };
  for (let node = children(topNode).at(-1); node;) node = enter(node, statement, cursor);
  return cursor;
}

// Updates the cursor for a node that the caret follows, and returns the child in which the caret is, if it is in one.
function enter(node, statement, cursor) {
  const parts = children(node);
  const last = parts.at(-1);
  switch (node.name) {
    case "Pair":
      if (last.name === "Key") cursor.from = node.from;
      else Object.assign(cursor, { key: false, path: [...cursor.path, ...(keysAt(parts[0], statement) ?? []).map((key) => key.text)] });
      return parts[2];
    case "Array":
    case "InlineTable": {
      if (last.name === "]" || last.name === "}") break; // the value is complete
      const isTable = node.name === "InlineTable";
      const pairs = parts.filter((part) => part.name === "Pair" && part.getChild("Equals"));
      const present = pairs.flatMap((pair) => keysAt(pair.firstChild, statement)?.[0].text ?? []);
      Object.assign(cursor, { key: isTable, inline: true, present, path: isTable ? cursor.path : [...cursor.path, "1"] });
      return /^[[{,]$/.test(last.name) ? null : last;
    }
    default:
  }
  cursor.from = node.from;
  return null;
}

function readKeys(written) {
  try {
    return splitKey(written.trim());
  } catch {
    return null;
  }
}

function keys(place, path, from, cursor) {
  const { schema, text, offset, lineTo, index, asked } = place;
  const written = text.slice(from, offset);
  if (/\s$/.test(written) || written.includes('"')) return null;
  const dot = written.lastIndexOf(".");
  const parents = dot < 0 ? [] : readKeys(written.slice(0, dot));
  if (!parents) return null;
  const prefix = written.slice(dot + 1);
  if (!asked && prefix === "" && dot < 0) return null;
  const base = [...path, ...parents];
  const wordTo = offset + /^[\w-]*/.exec(text.slice(offset))[0].length;
  const assigned = /^\s*[.=]/.test(text.slice(wordTo, lineTo));
  const nodes = nodesAt(schema, base);
  const inline = new Set(cursor.present);
  // A dotted key such as `cp.jitter` does not make `cp` used, but a value or a header does.
  const used = (name) => inline.has(name) || has(index.values, [...base, name]) || has(index.headers, [...base, name]);
  const taken = nodes.some(isChoice) && (inline.size > 0 || namesBelow(index, base).length > 0);
  const items = taken ? [] : keysOf(schema, nodes)
    .filter(({ name }) => !used(name))
    .filter(({ nodes: values }) => base.length > 0 || cursor.inline || !values.some((node) => isTable(node) || isList(schema, node)))
    .sort((a, b) => Number(b.required) - Number(a.required))
    .map(({ name, nodes: values, required }) => {
      const tail = values.every(isTable) ? (cursor.inline ? " = { " : ".") : " = ";
      return {
        label: name, kind: "key", detail: keyDetail(values, required), description: describe(values),
        insert: assigned ? name : writeKey([name]) + tail, again: !assigned,
      };
    });
  if (parents.length === 0 && !cursor.inline && !assigned) items.push(...headerItems(place));
  return { from: offset - prefix.length, to: wordTo, items: rank(items, prefix, asked) };
}

const isList = (schema, node) => node.type === "array" && expand(schema, node.items).some(isTable);

// Keys that the document sets, by the path of their parent: keys with values, keys that are tables because of a
// header, and keys that are tables because of dotted keys. Built once, because completion looks up every table of
// the schema.
function indexOf(doc) {
  const index = { values: new Map(), headers: new Map(), dotted: new Map() };
  const add = (map, path) => {
    const parent = path.slice(0, -1).join("\0");
    if (!map.has(parent)) map.set(parent, new Set());
    map.get(parent).add(path.at(-1));
  };
  for (const table of doc.tables) {
    for (let length = 1; length <= table.path.length; length += 1) add(index.headers, table.path.slice(0, length));
    for (const entry of table.entries) {
      const path = [...table.path, ...entry.keys.map((key) => key.text)];
      for (let length = table.path.length + 1; length < path.length; length += 1) add(index.dotted, path.slice(0, length));
      add(index.values, path);
    }
  }
  return index;
}

const has = (map, path) => map.get(path.slice(0, -1).join("\0"))?.has(path.at(-1)) ?? false;

const namesBelow = (index, path) => [index.values, index.headers, index.dotted].flatMap((map) => [...(map.get(path.join("\0")) ?? [])]);

// The default of a key or, if it has none, whether the key must be set or is a table.
export function keyDetail(nodes, required = false) {
  const value = defaultOf(nodes);
  if (value !== undefined && value !== "") return `default ${typeof value === "string" ? value : JSON.stringify(value)}`;
  if (required) return "required";
  if (nodes.every(isTable)) return "table";
  return "";
}

function headers(place, from) {
  const { text, offset, lineTo, asked } = place;
  const written = /^\[\[?\s*([^\]#]*)/.exec(text.slice(from, lineTo))[0];
  if (offset > from + written.length) return null;
  const closing = /^\]{0,2}/.exec(text.slice(from + written.length, lineTo))[0];
  const double = written.startsWith("[[");
  const prefix = text.slice(from, offset).replace(/^\[\[?\s*/, "");
  const items = headerItems(place).filter((item) => item.array || !double);
  const found = rank(items, prefix, asked);
  return found.length ? { from, to: from + written.length + closing.length, items: found } : null;
}

function headerItems({ schema, doc, index, table }) {
  // Tables near the current position come first: those below the current table, then the rest.
  const near = (path) => (table.path.length > 0 && table.path[0] === path[0] ? 0 : 1);
  const defined = new Set(doc.tables.map((each) => each.path.join("\0")));
  return tablesOf(schema)
    .filter(({ path, array }) => (array || !defined.has(path.join("\0"))) && free(index, path, array) && chosen(schema, index, path))
    .sort((a, b) => near(a.path) - near(b.path))
    .map(({ path, array, nodes }) => {
      const name = writeKey(path);
      const label = array ? `[[${name}]]` : `[${name}]`;
      return { label, match: name, kind: "table", array, detail: "", description: describe(nodes), insert: label };
    });
}

// Whether no value and no dotted key already defines the table or a parent of it.
function free(index, path, array) {
  const parents = path.map((_, at) => path.slice(0, at + 1));
  return !parents.some((each) => has(index.values, each)) && (array || !has(index.dotted, path));
}

// Of control.qcn, control.smcc, …, only the one that the document uses is of interest.
function chosen(schema, index, path) {
  return path.every((part, at) => {
    const names = namesBelow(index, path.slice(0, at));
    return names.length === 0 || names.includes(part) || !nodesAt(schema, path.slice(0, at)).some(isChoice);
  });
}

function values(place, path, from) {
  const { schema, text, offset, lineTo, asked } = place;
  const written = text.slice(from, offset);
  const rest = text.slice(offset, lineTo);
  // A complete value before the caret needs no completion.
  if (/^(".*"|'.*'|[^"'].*[\s\]}])$/.test(written)) return null;
  const quoted = written.startsWith('"') || written.startsWith("'");
  const to = offset + (quoted ? /^[^"'#]*["']?/ : /^[\w.+-]*/).exec(rest)[0].length;
  const nodes = nodesAt(schema, path);
  const description = describe(nodes);
  const byDefault = defaultOf(nodes);
  const items = new Map();
  const add = (insert, extra = {}) => {
    const detail = byDefault !== undefined && insert === JSON.stringify(byDefault) ? "default" : "";
    if (!items.has(insert)) items.set(insert, { label: insert, match: insert.replaceAll('"', ""), kind: "value", detail, description, insert, ...extra });
  };

  for (const node of nodes) {
    const union = nodes.find(isChoice);
    for (const value of node.enum ?? (node.const === undefined ? [] : [node.const])) {
      const needs = union?.properties?.[value]?.required?.length;
      if (!needs) add(JSON.stringify(value));
    }
    if (node.type === "boolean") ["true", "false"].forEach((value) => add(value));
    if (isChoice(node)) for (const [name, table] of Object.entries(node.properties)) addChoice(name, table, add);
  }
  if (byDefault !== undefined && byDefault !== "" && typeof byDefault !== "object") add(JSON.stringify(byDefault));
  const number = /^["']?(\d[\d_]*(?:\.\d+)?)\s*[^\d.]*$/.exec(written)?.[1];
  const patterns = nodes.filter((node) => node.pattern).map((node) => new RegExp(node.pattern));
  if (number && (quoted || asked)) {
    for (const unit of UNITS) {
      if (patterns.some((pattern) => pattern.test(`${number} ${unit}`))) add(`"${number} ${unit}"`, { detail: "" });
    }
  }
  return { from, to, items: rank([...items.values()], written.replaceAll(/["']/g, ""), asked) };
}

// Choices with keys that must be set, such as traffic = { constant = { rate = … } }.
function addChoice(name, table, add) {
  if (isEmpty(table) || !table.required?.length) return;
  const [first] = table.required;
  const head = `{ ${writeKey([name])} = { ${first} = `;
  add(`${head} } }`, { label: `{ ${name} = { ${first} = … } }`, match: name, caret: head.length, again: true });
}

// Keeps the matching items, the best first. While the user is typing, a single exact match needs no popup.
function rank(items, prefix, asked) {
  const wanted = prefix.toLowerCase();
  const score = ({ label, match = label }) => {
    const name = match.toLowerCase();
    if (name.startsWith(wanted)) return 0;
    if (new RegExp(`[._-]${RegExp.escape?.(wanted) ?? wanted.replace(/[^\w]/g, "\\$&")}`).test(name)) return 1;
    return wanted.length > 2 && name.includes(wanted) ? 2 : 3;
  };
  const found = items.map((item) => [score(item), item]).filter(([points]) => points < 3).sort(([a], [b]) => a - b).map(([, item]) => item);
  const exact = found.length === 1 && (found[0].match ?? found[0].label) === prefix;
  return exact && !asked ? [] : found;
}
