// A tolerant TOML reader that keeps the position of every key and value.
//
// It reports positions, not errors: `setpoint` itself checks the scenario. Text is often incomplete while the user is
// typing, so a statement that cannot be read ends at its line and reading continues with the next line.

const BARE = /[A-Za-z0-9_-]/;

class Unreadable extends Error {}

// Reads TOML from `text`. Returns `{ tables }`: the root table first, then one table per header, each
//   { path, array, from, to, headerTo, entries }
// with `path` as an array of strings (elements of an array of tables carry their 1-based index, "flows", "2"), `from`/`to`
// as the range of the header (empty for the root table), `headerTo` as the end of the header's line, and entries
//   { keys: [{ text, from, to }], from, to, value }
// where a value is { kind: "string" | "scalar" | "array" | "table", from, to, items | entries }.
export function parse(text) {
  return new Reader(text).document();
}

// The parts of a dotted key: `sweep."a.b"` gives ["sweep", "a.b"].
export function splitKey(key) {
  const reader = new Reader(key);
  const keys = reader.dottedKey();
  if (reader.at !== key.length) throw new RangeError(`not a key: ${key}`);
  return keys.map((part) => part.text);
}

// A key as written in TOML, quoted where necessary.
export function writeKey(parts) {
  return parts.map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part))).join(".");
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  document() {
    const { text } = this;
    const root = { path: [], array: false, from: 0, to: 0, headerTo: 0, entries: [] };
    const tables = [root];
    const lengths = new Map(); // arrays of tables: path without the last index → number of elements
    let table = root;
    while (this.at < text.length) {
      this.blank(true);
      if (this.at >= text.length) break;
      const start = this.at;
      try {
        if (text[start] === "[") {
          const { keys, array } = this.header();
          const path = absolute(keys.map((key) => key.text), array, lengths);
          table = { path, array, from: start, to: this.at, headerTo: this.lineEnd(start), entries: [] };
          tables.push(table);
        } else {
          table.entries.push(this.entry());
        }
        this.blank(false);
        if (this.at < text.length && !this.newline()) throw new Unreadable();
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        this.at = this.lineEnd(start);
      }
    }
    return { tables };
  }

  header() {
    const array = this.text.startsWith("[[", this.at);
    this.at += array ? 2 : 1;
    this.spaces();
    const keys = this.dottedKey();
    this.spaces();
    this.expect(array ? "]]" : "]");
    return { keys, array };
  }

  entry() {
    const from = this.at;
    const keys = this.dottedKey();
    this.spaces();
    this.expect("=");
    this.spaces();
    const value = this.value();
    return { keys, from, to: value.to, value };
  }

  dottedKey() {
    const keys = [this.key()];
    for (;;) {
      const before = this.at;
      this.spaces();
      if (this.text[this.at] !== ".") {
        this.at = before;
        return keys;
      }
      this.at += 1;
      this.spaces();
      keys.push(this.key());
    }
  }

  key() {
    const { text } = this;
    const from = this.at;
    if (text[from] === '"' || text[from] === "'") {
      this.string();
      return { text: unquote(text.slice(from, this.at)), from, to: this.at };
    }
    while (this.at < text.length && BARE.test(text[this.at])) this.at += 1;
    if (this.at === from) throw new Unreadable();
    return { text: text.slice(from, this.at), from, to: this.at };
  }

  value() {
    const { text } = this;
    const from = this.at;
    const first = text[from];
    if (first === '"' || first === "'") {
      this.string();
      return { kind: "string", from, to: this.at };
    }
    if (first === "[") return this.list(from, "array", "]", () => this.value());
    if (first === "{") return this.list(from, "table", "}", () => this.entry());
    while (this.at < text.length && /[A-Za-z0-9_+.:-]/.test(text[this.at])) this.at += 1;
    // A date and a time may be separated by a space.
    if (/^\d{4}-\d\d-\d\d$/.test(text.slice(from, this.at)) && /^ \d\d:/.test(text.slice(this.at, this.at + 4))) {
      this.at += 1;
      while (this.at < text.length && /[0-9:.Zz+-]/.test(text[this.at])) this.at += 1;
    }
    if (this.at === from) throw new Unreadable();
    return { kind: "scalar", from, to: this.at };
  }

  list(from, kind, close, element) {
    const elements = [];
    this.at += 1;
    for (;;) {
      this.blank(true);
      if (this.text[this.at] === close) break;
      elements.push(element());
      this.blank(true);
      if (this.text[this.at] === ",") this.at += 1;
      else if (this.text[this.at] !== close) throw new Unreadable();
    }
    this.at += 1;
    const value = { kind, from, to: this.at };
    value[kind === "array" ? "items" : "entries"] = elements;
    return value;
  }

  string() {
    const { text } = this;
    const quote = text[this.at];
    const long = quote.repeat(3);
    if (text.startsWith(long, this.at)) {
      this.at += 3;
      while (this.at < text.length && !text.startsWith(long, this.at)) {
        this.at += quote === '"' && text[this.at] === "\\" ? 2 : 1;
      }
      this.expect(long);
      // Up to two quotes may precede the closing three.
      for (let extra = 0; extra < 2 && text[this.at] === quote; extra += 1) this.at += 1;
      return;
    }
    this.at += 1;
    while (this.at < text.length && text[this.at] !== quote) {
      if (text[this.at] === "\n") throw new Unreadable();
      this.at += quote === '"' && text[this.at] === "\\" ? 2 : 1;
    }
    this.expect(quote);
  }

  expect(token) {
    if (!this.text.startsWith(token, this.at)) throw new Unreadable();
    this.at += token.length;
  }

  spaces() {
    while (this.text[this.at] === " " || this.text[this.at] === "\t") this.at += 1;
  }

  newline() {
    if (this.text.startsWith("\r\n", this.at)) this.at += 2;
    else if (this.text[this.at] === "\n") this.at += 1;
    else return false;
    return true;
  }

  // Skips spaces and comments, and with `lines` also line ends.
  blank(lines) {
    for (;;) {
      this.spaces();
      if (this.text[this.at] === "#") this.at = this.contentEnd(this.at);
      if (!lines || !this.newline()) return;
    }
  }

  // The end of the line's content, before its line end.
  contentEnd(at) {
    const end = this.text.indexOf("\n", at);
    if (end < 0) return this.text.length;
    return end > at && this.text[end - 1] === "\r" ? end - 1 : end;
  }

  // The start of the next line.
  lineEnd(at) {
    const end = this.text.indexOf("\n", at);
    return end < 0 ? this.text.length : end + 1;
  }
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
