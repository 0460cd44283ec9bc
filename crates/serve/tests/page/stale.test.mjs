import test from "node:test";
import assert from "node:assert/strict";
import { textChange } from "../../assets/stale.js";

const TEXT = 'name = "x"\n\n[control.qcn]\ncp.set_point = "26 kB"   # bytes\nrp.timer = "15 ms"\n';

test("the same text has no change", () => {
  assert.equal(textChange(TEXT, TEXT), null);
});

test("changed values are named", () => {
  const moved = TEXT.replace("26 kB", "40 kB");
  assert.equal(textChange(TEXT, moved), 'cp.set_point: "26 kB" → "40 kB"');
  assert.equal(textChange(TEXT, moved.replace('"x"', '"y"')), 'name: "x" → "y"; cp.set_point: "26 kB" → "40 kB"');
  assert.equal(textChange(TEXT, TEXT.replace("# bytes", "# octets")), "1 line changed since");
});

test("many and added lines are counted", () => {
  assert.equal(textChange("a = 1\nb = 1\nc = 1", "a = 2\nb = 2\nc = 2"), "3 lines changed since");
  assert.equal(textChange(TEXT, `${TEXT}seed = 2\nextra = 3\n`), "2 lines changed since");
  assert.equal(textChange("", "a = 1"), "1 line changed since");
});
