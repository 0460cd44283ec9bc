// Skipped tests are listed, and fail with CI=true.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { skipped } from "./skip.mjs";

test("a test with a reason is skipped and listed", () => {
  const folder = mkdtempSync(join(tmpdir(), "setpoint-skip-"));
  const list = join(folder, "skipped");
  try {
    assert.equal(skipped("there is no site", { SETPOINT_SKIPPED_TESTS: list }), "there is no site");
    assert.equal(readFileSync(list, "utf8"), "tests of the page: there is no site\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("with CI=true a skipped test is an error", () => {
  assert.throws(() => skipped("there is no site", { CI: "true" }), /every test must run, but there is no site/);
});

test("a test without a reason runs", () => {
  assert.equal(skipped(false, { CI: "true" }), false);
});
