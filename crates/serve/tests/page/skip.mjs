// Tests that cannot run on this machine: `./check` prints their names at the end. With CI=true they fail, as `skip` in
// crates/live/tests/support/skip.rs describes; none of the reasons of these tests is on its list of exceptions.

import { appendFileSync } from "node:fs";

/** The option `skip` of tests that cannot run if `reason` is not false: the reason. With CI=true it throws an error. */
export function skipped(reason, environment = process.env) {
  if (!reason) return false;
  if (environment.CI === "true") throw new Error(`with CI=true every test must run, but ${reason}`);
  if (environment.SETPOINT_SKIPPED_TESTS) appendFileSync(environment.SETPOINT_SKIPPED_TESTS, `tests of the page: ${reason}\n`);
  return reason;
}
