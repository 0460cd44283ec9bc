// Finds and edits one key in TOML text and preserves everything else byte for byte: comments, order, spacing, line ends.
//
// Keys are dotted, from the root: "control.qcn.cp.set_point". Elements of arrays count from 1: "flows.2.weight".

import { parse, splitKey, writeKey } from "./toml-tree.js";

// The positions of the values of several keys, in order: `{ from, to, text }`, or null if the text does not set the key.
export function findValues(text, keys) {
  const doc = parse(text);
  return keys.map((key) => {
    const found = locate(doc, splitKey(key));
    return found && { from: found.from, to: found.to, text: text.slice(found.from, found.to) };
  });
}

// The text with the key set to `literal`, which is TOML: `"26 kB"` with its quotes, `10`, `true`. Replaces an existing
// value in place. A new key goes into the table that contains its neighbours, or into a new table at the end. Throws a
// RangeError if the key cannot be set, because it is a table, an element does not exist, or a
// parent is not a table.
export function setValue(text, key, literal) {
  const path = splitKey(key);
  const doc = parse(text);
  const found = locate(doc, path);
  if (found) return splice(text, found.from, found.to, literal);
  // A value in addition to the tables below the key would not be TOML.
  if (doc.tables.some((table) => startsWith(table.path, path))) throw new RangeError(`${writeKey(path)} is a table`);

  const home = bestHome(doc, path);
  const { table, base, depth, after, inline } = home;
  const statement = `${writeKey(path.slice(base))} = ${literal}`;
  if (inline) return intoInline(text, inline, statement);
  if (home.blocked) {
    const { entry } = home;
    // `control = "qcn"` is short for an empty table [control.qcn]: give that table its first key.
    if (entry.value.kind === "string" && text.slice(entry.value.from + 1, entry.value.to - 1) === path[depth]) {
      return splice(text, entry.from, entry.to, statement);
    }
    throw new RangeError(`${writeKey(path.slice(0, depth))} is not a table`);
  }
  rejectMissingElement(doc, path);
  if (table.path.length === 0 && depth === 0 && path.length > 1) return newTable(text, doc, path, literal);
  return intoTable(text, doc, table, after, statement);
}

function locate(doc, path) {
  for (const table of doc.tables) {
    if (!startsWith(path, table.path)) continue;
    const found = within(table.entries, path.slice(table.path.length));
    if (found) return found;
  }
  return null;
}

// Finds the value at `path` among entries.
function within(entries, path) {
  for (const { keys, value } of entries) {
    const found = startsWith(path, keys.map((key) => key.text)) && inValue(value, path.slice(keys.length));
    if (found) return found;
  }
  return null;
}

function inValue(value, path) {
  if (path.length === 0) return value;
  if (value.kind === "table") return within(value.entries, path);
  const item = value.kind === "array" && /^[1-9]\d*$/.test(path[0]) && value.items[Number(path[0]) - 1];
  return item ? inValue(item, path.slice(1)) : null;
}

// The place for a new key: the deepest table that exists and is a parent of the key. Headers, dotted keys and inline
// tables all create tables. `depth` is the number of parts of the key that the parent covers, `base` the number that
// need not be written in the new statement.
function bestHome(doc, path) {
  let best = null;
  const offer = (home) => {
    if (!best || home.depth > best.depth) best = home;
  };
  for (const table of doc.tables) {
    if (!startsWith(path, table.path)) continue;
    const base = table.path.length;
    if (base < path.length) offer({ table, base, depth: base, after: table.entries.at(-1) });
    dottedHomes(table.entries, path, base, offer, table);
  }
  return best;
}

function dottedHomes(entries, path, base, offer, table) {
  const deepest = { depth: base };
  for (const entry of entries) {
    const keys = entry.keys.map((key) => key.text);
    let shared = 0;
    while (shared < keys.length && keys[shared] === path[base + shared]) shared += 1;
    const depth = base + shared;
    if (shared === 0 || depth >= path.length) continue;
    if (shared < keys.length) {
      // Later neighbours take precedence, so that the new key follows the last one.
      if (depth >= deepest.depth) Object.assign(deepest, { table, base, depth, after: entry });
    } else if (entry.value.kind === "table") {
      offer({ base: depth, depth, inline: entry.value });
      dottedHomes(entry.value.entries, path, depth, offer, null);
    } else {
      offer({ base, depth, entry, blocked: true });
    }
  }
  // For an inline table (no `table`), the caller has already offered a valid place.
  if (deepest.depth > base && table) offer(deepest);
}

function rejectMissingElement(doc, path) {
  for (const table of doc.tables) {
    const name = table.path.slice(0, -1);
    if (table.array && startsWith(path, name) && !exists(doc, path.slice(0, name.length + 1))) {
      throw new RangeError(`${writeKey(path.slice(0, name.length + 1))} does not exist`);
    }
  }
  const index = path.findIndex((part, at) => at > 0 && /^\d+$/.test(part) && !exists(doc, path.slice(0, at + 1)));
  if (index >= 0) throw new RangeError(`${writeKey(path.slice(0, index + 1))} does not exist`);
}

function exists(doc, path) {
  return doc.tables.some((table) => startsWith(table.path, path));
}

function intoTable(text, doc, table, after, statement) {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  if (after) {
    const start = text.lastIndexOf("\n", after.from - 1) + 1;
    return insertLine(text, nextLine(text, after.to), text.slice(start, after.from) + statement, eol);
  }
  if (table.path.length > 0) return insertLine(text, table.headerTo, statement, eol);
  // The root table is empty: stay below the comment that opens the file and above the first header with its comment.
  const opening = /^(?:[ \t]*#[^\n]*\n)*[ \t]*\r?\n/.exec(text);
  const at = opening && opening[0].length <= (doc.tables[1]?.from ?? text.length) ? opening[0].length : 0;
  return insertLine(text, at, at < text.length ? statement + eol : statement, eol);
}

function insertLine(text, at, line, eol) {
  const open = at > 0 && text[at - 1] !== "\n";
  return splice(text, at, at, (open ? eol : "") + line + (open ? "" : eol));
}

function newTable(text, doc, path, literal) {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const body = `[${writeKey(path.slice(0, -1))}]${eol}${writeKey(path.slice(-1))} = ${literal}${eol}`;
  // Next to related tables if there are any: [control.qcn] after [control.qcn.cp].
  const relative = doc.tables.findLast((table) => table.path[0] === path[0] && !table.array);
  if (relative) {
    const last = relative.entries.at(-1);
    const at = last ? nextLine(text, last.to) : relative.headerTo;
    const open = text[at - 1] !== "\n";
    const tight = at < text.length && !/^[ \t]*\r?\n/.test(text.slice(at));
    return splice(text, at, at, (open ? eol : "") + eol + body + (tight ? eol : ""));
  }
  if (text.trim() === "") return text + body;
  return text + (text.endsWith("\n") ? "" : eol) + (/\n[ \t]*\r?\n$/.test(text) ? "" : eol) + body;
}

function intoInline(text, inline, statement) {
  const last = inline.entries.at(-1);
  if (last) return splice(text, last.to, last.to, `, ${statement}`);
  return splice(text, inline.from + 1, inline.to - 1, ` ${statement} `);
}

function nextLine(text, at) {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

function startsWith(path, prefix) {
  return prefix.length <= path.length && prefix.every((part, index) => part === path[index]);
}

function splice(text, from, to, insert) {
  return text.slice(0, from) + insert + text.slice(to);
}
