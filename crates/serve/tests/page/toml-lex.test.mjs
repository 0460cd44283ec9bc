import assert from "node:assert/strict";
import { test } from "node:test";
import { lexLine } from "../../assets/editor/toml-lex.js";

// Writes the pieces as `kind:text`, over all lines of a text.
function kinds(text) {
  let state = "";
  return text.split("\n").map((line) => {
    const result = lexLine(line, state);
    state = result.state;
    return result.pieces.map(([from, to, kind]) => `${kind}:${line.slice(from, to)}`).join(" ");
  });
}

test("statements", () => {
  assert.deepEqual(kinds('a.b = "10 Gb/s" # c'), ['key:a key:b mark:= string:" number:10 unit:Gb/s string:" comment:# c']);
  assert.deepEqual(kinds('"x.y" = \'#\''), ["key:\"x.y\" mark:= string:'#'"]);
  assert.deepEqual(kinds("n = -1_0.5e3"), ["key:n mark:= number:-1_0.5e3"]);
  assert.deepEqual(kinds("t = true"), ["key:t mark:= word:true"]);
  assert.deepEqual(kinds("d = 2024-01-02T03:04:05Z"), ["key:d mark:= date:2024-01-02T03:04:05Z"]);
  assert.deepEqual(kinds('[[a."]"]] # x'), ['table:[[a."]"]] comment:# x']);
});

test("values over several lines", () => {
  assert.deepEqual(kinds('x = [\n  { b = ["p"] }, # c\n]\ny = 1'), [
    "key:x mark:= mark:[",
    'mark:{ key:b mark:= mark:[ string:"p" mark:] mark:} mark:, comment:# c',
    "mark:]",
    "key:y mark:= number:1",
  ]);
  assert.deepEqual(kinds('x = """a\n# b\n""" # c\ny = 1'), [
    'key:x mark:= string:"""a', "string:# b", 'string:""" comment:# c', "key:y mark:= number:1",
  ]);
});

test("a missing bracket ends at the next statement", () => {
  assert.deepEqual(kinds("x = [1,\ny = 2").at(-1), "key:y mark:= number:2");
});

test("no input loops or overlaps", () => {
  const alphabet = "a1 .=[]{}\"'#,\\-:é\t";
  let seed = 7;
  for (let round = 0; round < 3000; round += 1) {
    let line = "";
    for (let length = 0; length < 25; length += 1) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      line += alphabet[Math.floor((seed / 2 ** 32) * alphabet.length)];
    }
    let end = 0;
    for (const [from, to] of lexLine(line, ["", "[", "{", '"', "['"][round % 5]).pieces) {
      assert.ok(from >= end && to > from && to <= line.length, line);
      end = to;
    }
  }
});
