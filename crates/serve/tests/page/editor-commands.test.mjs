import assert from "node:assert/strict";
import { test } from "node:test";
import { indent, newLine, outdent, toggleComment } from "../../assets/editor/editor-commands.js";

// Runs a command on text in which one or two bars mark the selection.
function run(command, marked) {
  const [before, middle, after] = marked.split("|");
  const [start, end] = after === undefined ? [before.length, before.length] : [before.length, before.length + middle.length];
  const text = marked.replaceAll("|", "");
  const result = command(text, start, end);
  if (!result) return null;
  const changed = text.slice(0, result.from) + result.insert + text.slice(result.to);
  const [from, to] = result.select;
  return from === to ? `${changed.slice(0, from)}|${changed.slice(from)}` : `${changed.slice(0, from)}|${changed.slice(from, to)}|${changed.slice(to)}`;
}

test("comments", () => {
  assert.equal(run(toggleComment, "a\nb |= 1\nc"), "a\n# b |= 1\nc");
  assert.equal(run(toggleComment, "# b |= 1"), "b |= 1");
  assert.equal(run(toggleComment, "  a|\n\n    b\n|c"), "  # a|\n\n  #   b\n|c");
  assert.equal(run(toggleComment, "|# a\n#b|"), "|a\nb|");
  assert.equal(run(toggleComment, "\n|\n"), null);
});

test("indentation", () => {
  assert.equal(run(indent, "a|b"), "a  |b");
  assert.equal(run(indent, "|a\n\nb|\nc"), "  |a\n\n  b|\nc");
  assert.equal(run(outdent, "    a|"), "  a|");
  assert.equal(run(outdent, "a|"), null);
  assert.equal(run(outdent, " |a\n  b|"), "|a\nb|");
});

test("new lines", () => {
  assert.equal(run(newLine, "  a|"), "  a\n  |");
  assert.equal(run(newLine, "x = [|]"), "x = [\n  |\n]");
  assert.equal(run(newLine, "x = [|"), "x = [\n  |");
  assert.equal(run(newLine, "[a]|"), "[a]\n|");
});
