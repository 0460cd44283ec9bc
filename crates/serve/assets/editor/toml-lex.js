// Splits TOML into coloured pieces, line by line, for the editor.
//
// A line needs only the state at the end of the previous line, so that only the lines that an edit changes are
// processed again. The state is a string: the open brackets, followed by the quote of an open multi-line string.

const QUANTITY = /^(\s*)([+-]?\d[\d_]*(?:\.\d+)?)(\s*)([TGMkK]?(?:B|b\/s|bps)|[GMK]iB|[munpµμ]?s|%|pp[mb])(\s*)$/;
const NUMBER = /^[+-]?(?:0[xob][\da-fA-F_]+|inf|nan|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)(?![\w.:])/;
const DATE = /^(?:\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?|\d\d:\d\d(?::\d\d(?:\.\d+)?)?)/;
const STATEMENT = /^\s*(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*\s*=/;

// Returns `{ pieces: [[from, to, kind]…], state }`. Text between pieces is plain. Kinds: comment, table, key, string, number,
// unit, word (true, false), date, mark (brackets, commas, equals signs).
export function lexLine(line, state) {
  const pieces = [];
  const add = (from, to, kind) => {
    if (to > from) pieces.push([from, to, kind]);
  };
  let at = 0;
  let open = state;

  const long = open.at(-1);
  if (long === '"' || long === "'") {
    at = longEnd(line, 0, long);
    add(0, at < 0 ? line.length : at, "string");
    if (at < 0) return { pieces, state: open };
    open = open.slice(0, -1);
  } else if (open.at(-1) === "[" && STATEMENT.test(line)) {
    // `key =` cannot occur in an array: its bracket is missing, so do not colour the rest of the file as values.
    open = "";
  }

  let before = open === "" && at === 0; // before the equals sign of a statement
  if (before) {
    const header = /^\s*(\[\[?)/.exec(line);
    if (header) {
      const start = header[0].length - header[1].length;
      const end = headerEnd(line, header[0].length);
      add(start, end, "table");
      at = end;
      before = false;
    }
  }

  while (at < line.length) {
    const rest = line.slice(at);
    const char = line[at];
    const inTable = open.at(-1) === "{";
    const space = /^\s+/.exec(rest);
    if (space) {
      at += space[0].length;
    } else if (char === "#") {
      add(at, line.length, "comment");
      break;
    } else if (char === '"' || char === "'") {
      if (rest.startsWith(char.repeat(3))) {
        const end = longEnd(line, at + 3, char);
        add(at, end < 0 ? line.length : end, "string");
        if (end < 0) return { pieces, state: open + char };
        at = end;
        continue;
      }
      const end = stringEnd(line, at);
      const key = before || (inTable && /^\s*[.=]/.test(line.slice(end)));
      if (key) add(at, end, "key");
      else addString(line, at, end, add);
      at = end;
    } else if (char === "=") {
      add(at, at + 1, "mark");
      before = false;
      at += 1;
    } else if (char === "[" || char === "{") {
      add(at, at + 1, "mark");
      open += char;
      at += 1;
    } else if (char === "]" || char === "}") {
      add(at, at + 1, "mark");
      if (open.at(-1) === (char === "]" ? "[" : "{")) open = open.slice(0, -1);
      at += 1;
    } else if (char === ",") {
      add(at, at + 1, "mark");
      at += 1;
    } else {
      at = addWord(rest, at, before || (inTable && /^[\w-]+\s*[.=]/.test(rest)), add);
    }
  }
  return { pieces, state: open };
}

function addWord(rest, at, key, add) {
  const word = key ? /^[\w-]+/.exec(rest) : DATE.exec(rest) ?? NUMBER.exec(rest) ?? /^[\w-]+/.exec(rest);
  if (!word) return at + 1;
  const to = at + word[0].length;
  if (key) add(at, to, "key");
  else if (/^(true|false)$/.test(word[0])) add(at, to, "word");
  else if (DATE.test(word[0])) add(at, to, "date");
  else if (NUMBER.test(word[0])) add(at, to, "number");
  return to;
}

// The number and the unit of a quantity in quotes ("10 Gb/s") are coloured separately.
function addString(line, from, to, add) {
  const closed = to - from > 1 && line[to - 1] === line[from];
  const parts = closed && QUANTITY.exec(line.slice(from + 1, to - 1));
  if (!parts) return add(from, to, "string");
  const number = from + 1 + parts[1].length;
  const unit = number + parts[2].length + parts[3].length;
  add(from, number, "string");
  add(number, number + parts[2].length, "number");
  add(unit, unit + parts[4].length, "unit");
  add(unit + parts[4].length, to, "string");
}

function stringEnd(line, at) {
  const quote = line[at];
  for (let end = at + 1; end < line.length; end += 1) {
    if (line[end] === "\\" && quote === '"') end += 1;
    else if (line[end] === quote) return end + 1;
  }
  return line.length;
}

// The end of a multi-line string in this line, or -1.
function longEnd(line, at, quote) {
  for (let end = at; end < line.length; end += 1) {
    if (line[end] === "\\" && quote === '"') end += 1;
    else if (line.startsWith(quote.repeat(3), end)) {
      end += 3;
      for (let extra = 0; extra < 2 && line[end] === quote; extra += 1) end += 1;
      return end;
    }
  }
  return -1;
}

function headerEnd(line, at) {
  let end = at;
  while (end < line.length && line[end] !== "]" && line[end] !== "#") {
    end = line[end] === '"' || line[end] === "'" ? stringEnd(line, end) : end + 1;
  }
  while (line[end] === "]") end += 1;
  return Math.min(end, line.length);
}
