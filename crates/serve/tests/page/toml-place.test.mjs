import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { parse, splitKey, writeKey } from "../../assets/editor/toml-tree.js";
import { findValues, setValue } from "../../assets/editor/toml-place.js";

const findValue = (text, key) => findValues(text, [key])[0];

const SAMPLE = `# The opening comment.
name = "a # b"   # not "the end"

[control.qcn]    # ] in a comment
preset = "10G"
cp.set_point = "26 kB"  # aim

[control.qcn.rp]
gain = "2^-7"

[topology.graph]
links = [
  { between = ["a]", "b"], rate = "1 Gb/s" }, # first
  { between = ["c", "d#"] },
]

[[flows]]
from = "h1"
traffic = { constant = { rate = "1 Mb/s" } }

[[flows]]
from = "h2"
weight = 3

[flows.traffic]
message.size = "1 MB"
`;

test("finds values however the key is split", () => {
  const expected = {
    "name": '"a # b"',
    "control.qcn.preset": '"10G"',
    "control.qcn.cp.set_point": '"26 kB"',
    "control.qcn.rp.gain": '"2^-7"',
    "topology.graph.links.1.rate": '"1 Gb/s"',
    "topology.graph.links.2.between.2": '"d#"',
    "flows.1.from": '"h1"',
    "flows.1.traffic.constant.rate": '"1 Mb/s"',
    "flows.2.weight": "3",
    "flows.2.traffic.message.size": '"1 MB"',
  };
  for (const [key, text] of Object.entries(expected)) {
    const found = findValue(SAMPLE, key);
    assert.deepEqual([key, found?.text], [key, text]);
    assert.equal(SAMPLE.slice(found.from, found.to), text);
  }
  for (const key of ["control", "control.qcn.cp", "flows.3.from", "flows.1.weight", "names", "topology.graph.links.0"]) {
    assert.equal(findValue(SAMPLE, key), null, key);
  }
});

test("replaces in place", () => {
  assert.equal(setValue(SAMPLE, "control.qcn.cp.set_point", '"60 kB"'), SAMPLE.replace("26 kB", "60 kB"));
  assert.equal(setValue(SAMPLE, "flows.1.traffic.constant.rate", '"2 Mb/s"'), SAMPLE.replace("1 Mb/s", "2 Mb/s"));
});

test("adds a key to the deepest table", () => {
  const cases = [
    ["control.qcn.cp.jitter", '"1 %"', 'cp.set_point = "26 kB"  # aim\n', 'cp.jitter = "1 %"\n'],
    ["control.qcn.rp.min_rate", '"1 Mb/s"', 'gain = "2^-7"\n', 'min_rate = "1 Mb/s"\n'],
    ["flows.1.weight", "2", 'traffic = { constant = { rate = "1 Mb/s" } }\n', "weight = 2\n"],
    ["duration", '"1 s"', 'name = "a # b"   # not "the end"\n', 'duration = "1 s"\n'],
    ["topology.graph.rate", '"1 Gb/s"', "\n]\n", 'rate = "1 Gb/s"\n'],
  ];
  for (const [key, literal, after, line] of cases) {
    assert.equal(setValue(SAMPLE, key, literal), SAMPLE.replace(after, after + line), key);
  }
});

test("adds a table when no parent exists", () => {
  assert.equal(setValue(SAMPLE, "network.buffer", '"1 kB"'), `${SAMPLE}\n[network]\nbuffer = "1 kB"\n`);
  assert.equal(setValue("", "a.b.c", "1"), "[a.b]\nc = 1\n");
  assert.equal(setValue("x = 1", "a.b", "1"), "x = 1\n\n[a]\nb = 1\n");
  assert.equal(setValue("[a.b.c]\nx = 1\n\n[[at]]\n", "a.b.y", "2"), "[a.b.c]\nx = 1\n\n[a.b]\ny = 2\n\n[[at]]\n");
});

test("keeps to the first lines in an empty root table", () => {
  assert.equal(setValue("# About.\n\n# Net\n[n]\n", "seed", "1"), "# About.\n\nseed = 1\n\n# Net\n[n]\n");
  assert.equal(setValue("[n]\nx = 1\n", "seed", "1"), "seed = 1\n\n[n]\nx = 1\n");
});

test("adds to inline tables and to names that stand for tables", () => {
  assert.equal(setValue("a = { b = 1 }\n", "a.c", "2"), "a = { b = 1, c = 2 }\n");
  assert.equal(setValue("a = {}\n", "a.c.d", "2"), "a = { c.d = 2 }\n");
  assert.equal(setValue('control = "qcn" # x\n', "control.qcn.cp.set_point", '"1 kB"'), 'control.qcn.cp.set_point = "1 kB" # x\n');
});

test("refuses what cannot be set", () => {
  assert.throws(() => setValue(SAMPLE, "flows.3.weight", "1"), RangeError);
  assert.throws(() => setValue(SAMPLE, "groups.1.size", "1"), RangeError);
  assert.throws(() => setValue(SAMPLE, "name.first", "1"), RangeError);
  assert.throws(() => setValue('control = "none"\n', "control.qcn.preset", '"1G"'), RangeError);
  assert.throws(() => setValue("[control.qcn]\n", "control", '"none"'), RangeError);
  assert.throws(() => setValue("[[at]]\n", "at", "[]"), RangeError);
  assert.throws(() => setValue(SAMPLE, "a..b", "1"));
});

test("reads on after statements that are not finished", () => {
  for (const broken of ['x = "open\n', "x = [1,\n", "x =\n", "[half\n", "= 3\n", "x = 1 2\n", '"k\n']) {
    assert.equal(findValue(`${broken}y = 5\n`, "y")?.text, "5", JSON.stringify(broken));
  }
  assert.equal(findValue("x = { a =\n[t]\ny = 5\n", "t.y")?.text, "5");
});

test("quoted keys and long strings", () => {
  const text = '[sweep]\n"a.b" = [1, 2]\n\'c d\' = """x\n# y = 1\n"""\nz = \'\'\'[t]\'\'\'\nd = 2024-01-02 03:04:05Z # t\n';
  assert.equal(findValue(text, 'sweep."a.b"').text, "[1, 2]");
  assert.equal(findValue(text, 'sweep."c d"').text, '"""x\n# y = 1\n"""');
  assert.equal(findValue(text, "sweep.z").text, "'''[t]'''");
  assert.equal(findValue(text, "sweep.d").text, "2024-01-02 03:04:05Z");
  assert.equal(findValue(text, "sweep.y"), null);
});

test("keeps carriage returns", () => {
  assert.equal(setValue("[a]\r\nb = 1\r\n", "a.c", "2"), "[a]\r\nb = 1\r\nc = 2\r\n");
  assert.equal(setValue("[a]\r\nb = 1", "a.c", "2"), "[a]\r\nb = 1\r\nc = 2");
});

// A small random number generator with a seed, so that a failure can be reproduced.
function random(seed) {
  return (n) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * n);
  };
}

const LITERALS = ['"10 Gb/s"', '"a # b"', '"]"', "3", "true", "1.5", "'q\"[x]'", '["x", "]#"]', "[\n  1, # one\n  2,\n]", '""', '"\\"#"'];
const NAMES = ["a", "b", "cp", "set_point", "x-y", "odd key"];

function randomDocument(next) {
  const lines = [];
  const comment = () => {
    if (next(4) === 0) lines.push(["# plain", "# [not] = a # table", '  # "'][next(3)]);
    if (next(4) === 0) lines.push("");
  };
  const pick = (list) => list[next(list.length)];
  const used = new Set();
  const claim = (path) => {
    // A key may neither repeat nor be the parent or child of another one.
    const id = path.join("\0");
    for (const other of used) if (other === id || other.startsWith(`${id}\0`) || id.startsWith(`${other}\0`)) return false;
    used.add(id);
    return true;
  };
  const entries = (prefix) => {
    const base = prefix.join("\0");
    for (let count = next(4); count > 0; count -= 1) {
      comment();
      const keys = [`k${next(6)}`];
      if (next(3) === 0) keys.unshift(pick(["d1", "d2"]));
      if (!claim([base, ...keys])) continue;
      const tail = next(3) === 0 ? "  # [tail] = 1" : "";
      if (next(6) === 0) lines.push(`${writeKey(keys)} = { p = ${pick(LITERALS.slice(0, 7))}, q.r = 2 }${tail}`);
      else lines.push(`${"  ".repeat(next(2))}${writeKey(keys)}${" ".repeat(next(3))}=${" ".repeat(next(2))}${pick(LITERALS)}${tail}`);
    }
  };
  entries([]);
  const headers = new Set();
  for (let count = next(6); count > 0; count -= 1) {
    comment();
    if (next(3) === 0) {
      lines.push("[[flows]]");
      entries(["flows", String(count)]);
      continue;
    }
    const path = [pick(NAMES), pick(NAMES), pick(NAMES)].slice(0, 1 + next(3));
    if (headers.has(path.join("\0"))) continue;
    headers.add(path.join("\0"));
    lines.push(`[${writeKey(path)}]${next(3) === 0 ? " # head" : ""}`);
    entries(path);
  }
  return lines.join("\n") + (next(2) ? "\n" : "");
}

// Every value of the text by its full key.
function flatten(text) {
  const values = new Map();
  const add = (path, value) => {
    if (value.kind === "table") for (const entry of value.entries) add([...path, ...entry.keys.map((key) => key.text)], entry.value);
    else values.set(writeKey(path), text.slice(value.from, value.to));
  };
  for (const table of parse(text).tables) {
    for (const entry of table.entries) add([...table.path, ...entry.keys.map((key) => key.text)], entry.value);
  }
  return values;
}

const comments = (text) => text.match(/#.*$/gm) ?? [];

export function randomEdits(seed, visit) {
  const next = random(seed);
  let text = randomDocument(next);
  for (let edit = 0; edit < 6; edit += 1) {
    const before = flatten(text);
    const known = [...before.keys()];
    const key = next(2) && known.length ? known[next(known.length)] : randomKey(next, text);
    visit(text, key, LITERALS[next(LITERALS.length)], before, (after) => {
      text = after;
    });
  }
}

function randomKey(next, text) {
  const tables = parse(text).tables;
  const base = next(2) ? tables[next(tables.length)].path : [NAMES[next(NAMES.length)], NAMES[next(NAMES.length)]];
  const middle = next(3) === 0 ? [["d1", "d2"][next(2)]] : [];
  return writeKey([...base, ...middle, `n${next(5)}`]);
}

test("property: a set key is found, other values and all comments stay", () => {
  let edits = 0;
  for (let seed = 1; seed <= 1500; seed += 1) {
    randomEdits(seed, (text, key, literal, before, keep) => {
      const where = `seed ${seed}, ${key} = ${literal}\n${text}`;
      const after = setValue(text, key, literal);
      edits += 1;
      assert.equal(findValue(after, key)?.text, literal, where);
      const values = flatten(after);
      for (const [other, value] of before) if (other !== key) assert.equal(values.get(other), value, `${other}: ${where}`);
      const extra = [...values.keys()].filter((other) => !before.has(other));
      assert.ok(extra.every((other) => other === key), where);
      // The old text is still there, in order: the edit only adds or replaces one piece of text.
      const old = findValue(text, key);
      const left = old ? text.slice(0, old.from) + text.slice(old.to) : text;
      const now = findValue(after, key);
      if (old) assert.equal(after.slice(0, now.from) + after.slice(now.to), left, where);
      else assert.ok(comments(text).every((comment) => after.includes(comment)), where);
      keep(after);
    });
  }
  assert.ok(edits > 5000);
});

test("property: every value of the built-in scenarios is found and can be replaced", () => {
  for (const text of scenarios()) {
    for (const [key, value] of flatten(text)) {
      const found = findValue(text, key);
      assert.equal(found.text, value);
      assert.equal(setValue(text, key, value), text);
      assert.equal(setValue(text, key, "0"), `${text.slice(0, found.from)}0${text.slice(found.to)}`);
    }
  }
});

function scenarios() {
  const folder = new URL("../../../scenario/scenarios/", import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith(".toml"));
  assert.ok(names.length > 20);
  return names.map((name) => readFileSync(new URL(name, folder), "utf8"));
}
