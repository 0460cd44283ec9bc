import assert from "node:assert/strict";
import { test } from "node:test";
import { keyAt } from "../../assets/editor/hover.js";

// The path of the key at the position marked by a bar in the text.
const at = (marked) => keyAt(marked.replace("|", ""), marked.indexOf("|"))?.path.join(".") ?? null;

test("the key at a position", () => {
  assert.equal(at("dur|ation = \"4 s\""), "duration");
  assert.equal(at("[control.q|cn]"), "control.qcn");
  assert.equal(at("[control.qcn]\ncp.set_|point = \"1 kB\""), "control.qcn.cp.set_point");
  assert.equal(at("[control.qcn]\nc|p.set_point = \"1 kB\""), "control.qcn.cp");
  assert.equal(at("[[flows]]\n[[flows]]\nfr|om = \"a\""), "flows.2.from");
  assert.equal(at("[[flows]]\ntraffic = { constant = { ra|te = \"1 Mb/s\" } }"), "flows.1.traffic.constant.rate");
  assert.equal(at("[topology.graph]\nlinks = [\n  {},\n  { bet|ween = [] },\n]"), "topology.graph.links.2.between");
});

test("nothing at values and comments", () => {
  for (const text of ["a = \"|x\"", "# a| = 1", "a = 1\n|\n", "a = [1, |2]"]) assert.equal(at(text), null, text);
});
