// The program under test: `SETPOINT`, or the one that `cargo build` produces.

import { fileURLToPath } from "node:url";

export const program = process.env.SETPOINT ?? fileURLToPath(new URL("../../../../target/debug/setpoint", import.meta.url));
