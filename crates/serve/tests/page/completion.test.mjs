import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { complete } from "../../assets/editor/completion.js";
import { expand, nodesAt } from "../../assets/editor/schema.js";

import { program } from "./program.mjs";

const schema = JSON.parse(execFileSync(program, ["schema"]));

// The completions at the position marked by a bar in the text.
function at(marked, asked = true) {
  const offset = marked.indexOf("|");
  return complete(schema, marked.replace("|", ""), offset, asked);
}
const labels = (marked, asked) => at(marked, asked)?.items.map((item) => item.label) ?? [];

function accept(marked, label) {
  const text = marked.replace("|", "");
  const { from, to, items } = at(marked);
  const item = items.find((each) => each.label === label);
  return text.slice(0, from) + item.insert + text.slice(to);
}

test("keys of the root table", () => {
  const found = labels("du|");
  assert.equal(found[0], "duration");
  assert.equal(accept("du|", "duration"), "duration = ");
  assert.ok(!labels('name = "x"\n|').includes("name"));
  assert.ok(labels("|").includes("[[flows]]") && labels("|").includes("[network]") && !labels("|").includes("network"));
  assert.deepEqual(labels("|", false), []);
});

test("keys of a table, without those that are set", () => {
  const found = labels('[control.qcn.cp]\nset_point = "1 kB"\n|\n[network]\n');
  assert.ok(found.includes("sample_base") && !found.includes("set_point") && !found.includes("preset"));
  const item = at("[control.qcn.cp]\nset|").items[0];
  assert.deepEqual([item.label, item.detail], ["set_point", "default 26 kB"]);
  assert.match(item.description, /queue length/);
});

test("dotted keys", () => {
  assert.equal(accept("[control.qcn]\nc|", "cp"), "[control.qcn]\ncp.");
  assert.ok(labels("[control.qcn]\ncp.|", false).includes("sample_base"));
  assert.equal(labels("[control.qcn]\ncp.jitter = \"1 %\"\ncp.j|").includes("jitter"), false);
  assert.ok(labels("[control.qcn]\ncp.jitter = \"1 %\"\nc|").includes("cp"));
  assert.equal(labels("[control.qcn]\nc|\n[control.qcn.cp]\n").includes("cp"), false);
  assert.equal(accept("control.qcn.cp.set| = 1", "set_point"), "control.qcn.cp.set_point = 1");
});

test("arrays of tables", () => {
  assert.deepEqual(labels('[[flows]]\nfrom = "a"\n\n[[flows]]\nfro|'), ["from"]);
  assert.ok(!labels('[[flows]]\nfrom = "a"\n|\n[[flows]]\n').includes("from"));
});

test("table headers", () => {
  assert.equal(accept("[netw|", "[network]"), "[network]");
  assert.equal(accept("[netw|]", "[network]"), "[network]");
  assert.equal(accept("[flo|", "[[flows]]"), "[[flows]]");
  assert.equal(accept("[[flo|]] # x", "[[flows]]"), "[[flows]] # x");
  assert.ok(labels("[|").includes("[control.qcn]"));
  const found = labels("[control.qcn]\n\n[control.|]\n");
  assert.ok(found.includes("[control.qcn.cp]") && !found.includes("[control.qcn]") && !found.some((label) => label.includes("smcc")));
  assert.ok(labels('[[flows]]\nto = "a"\n[[|').every((label) => label.startsWith("[[")));
});

test("values", () => {
  const speeds = [1, 10, 25, 40, 50, 100, 200, 400, 800];
  assert.deepEqual(labels("[control.qcn]\npreset = |"), speeds.map((speed) => `"${speed}G"`));
  assert.equal(at("[control.qcn]\npreset = |").items[1].detail, "default");
  assert.equal(accept('[control.qcn]\npreset = "4|"', '"40G"'), '[control.qcn]\npreset = "40G"');
  assert.deepEqual(labels("[control.qcn.cp]\nset_point = |"), ['"26 kB"']);
  assert.deepEqual(labels("[[flows]]\ncontrolled = f|"), ["false"]);
  assert.deepEqual(labels('duration = "4 s" |'), []);
  assert.deepEqual(labels('duration = "4 s" # |'), []);
  assert.ok(labels('allow_warnings = ["|').includes('"pause-lapses"'));
});

test("units", () => {
  assert.deepEqual(labels('duration = "4 |'), ['"4 s"', '"4 ms"', '"4 us"', '"4 ns"']);
  assert.equal(accept('[network]\nbuffer = "15|"', '"15 kB"'), '[network]\nbuffer = "15 kB"');
});

test("inline tables", () => {
  assert.ok(labels("[[flows]]\ntraffic = |").includes('"backlogged"'));
  assert.equal(accept("[[flows]]\ntraffic = |", "{ constant = { rate = … } }"), "[[flows]]\ntraffic = { constant = { rate =  } }");
  assert.deepEqual(labels("[[flows]]\ntraffic = { on_off = { burst = \"1 kB\", |"), ["rate", "silence"]);
  assert.deepEqual(labels("[topology.graph]\nlinks = [\n  { between = [\"a\", \"b\"] },\n  { bet|"), ["between"]);
  assert.deepEqual(labels('[[flows]]\ntraffic = { on_off = { silence = |'), ['"exponential"', '"fixed"']);
});

test("nothing in comments and long strings", () => {
  assert.deepEqual(labels("# na|"), []);
  assert.deepEqual(labels('description = """\nna|'), []);
});

test("references and merged schemas", () => {
  const root = {
    $defs: { rate: { type: "string", enum: ["fast"] }, loop: { $ref: "#/$defs/loop" } },
    properties: { a: { allOf: [{ properties: { x: { $ref: "#/$defs/rate", description: "X" } } }, { properties: { y: {} } }] } },
  };
  assert.deepEqual(nodesAt(root, ["a", "x"]), [{ type: "string", enum: ["fast"], description: "X" }]);
  assert.deepEqual(expand(root, { $ref: "#/$defs/loop" }), []);
  assert.deepEqual(complete(root, "[a]\n", 4).items.filter((item) => item.kind === "key").map((item) => item.label), ["x", "y"]);
});
