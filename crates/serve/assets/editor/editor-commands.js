// Editing commands on plain text. Each takes the text and the selection and returns one replacement,
// `{ from, to, insert, select: [start, end] }`, or null if there is nothing to do.

const INDENT = "  ";

// Comments out the selected lines, or uncomments them if all of them are comments.
export function toggleComment(text, start, end) {
  const { from, to, lines } = selectedLines(text, start, end);
  const full = lines.filter((line) => line.trim() !== "");
  if (full.length === 0) return null;
  const commented = full.every((line) => /^\s*#/.test(line));
  const margin = Math.min(...full.map((line) => /^\s*/.exec(line)[0].length));
  return replaceLines(from, to, lines, start, end, (line) => {
    if (line.trim() === "") return { line, at: 0, by: 0 };
    if (!commented) return { line: `${line.slice(0, margin)}# ${line.slice(margin)}`, at: margin, by: 2 };
    const [, indent, mark] = /^(\s*)(# ?)/.exec(line);
    return { line: indent + line.slice(indent.length + mark.length), at: indent.length, by: -mark.length };
  });
}

export function indent(text, start, end) {
  if (!text.slice(start, end).includes("\n")) {
    return { from: start, to: end, insert: INDENT, select: [start + INDENT.length, start + INDENT.length] };
  }
  const { from, to, lines } = selectedLines(text, start, end);
  return replaceLines(from, to, lines, start, end, (line) => (line === "" ? { line, at: 0, by: 0 } : { line: INDENT + line, at: 0, by: INDENT.length }));
}

export function outdent(text, start, end) {
  const { from, to, lines } = selectedLines(text, start, end);
  if (!lines.some((line) => /^[ \t]/.test(line))) return null;
  return replaceLines(from, to, lines, start, end, (line) => {
    const margin = /^(\t| {0,2})/.exec(line)[0].length;
    return { line: line.slice(margin), at: 0, by: -margin };
  });
}

// A new line with the indentation of the current one, and one step more after an opening bracket.
export function newLine(text, start, end) {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const before = text.slice(from, start);
  const margin = /^[ \t]*/.exec(before)[0];
  const opened = /[[{]\s*$/.test(before) && !/^\s*\[/.test(before);
  const closes = opened && /^[ \t]*[\]}]/.test(text.slice(end));
  const insert = `\n${margin}${opened ? INDENT : ""}`;
  const caret = start + insert.length;
  return { from: start, to: end, insert: closes ? `${insert}\n${margin}` : insert, select: [caret, caret] };
}

function selectedLines(text, start, end) {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  // A selection that ends at the start of a line does not include that line.
  const last = end > start && text[end - 1] === "\n" ? end - 1 : end;
  const found = text.indexOf("\n", last);
  const to = found < 0 ? text.length : found;
  return { from, to, lines: text.slice(from, to).split("\n") };
}

// Changes each line by inserting or removing `by` characters at column `at`, and adjusts the selection.
function replaceLines(from, to, lines, start, end, change) {
  let lineFrom = from;
  let newStart = start;
  let newEnd = end;
  const changed = lines.map((old) => {
    const { line, at, by } = change(old);
    const place = lineFrom + at;
    const shift = (caret) => (caret < place ? 0 : Math.max(by, place - caret));
    newStart += shift(start);
    newEnd += shift(end);
    lineFrom += old.length + 1;
    return line;
  });
  return { from, to, insert: changed.join("\n"), select: [newStart, newEnd] };
}
