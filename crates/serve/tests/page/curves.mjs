// The curves of a run, as the server declares them in its message "start"; tests/http.rs compares them with the server's.

import { readFileSync } from "node:fs";

export const CURVES = JSON.parse(readFileSync(new URL("curves.json", import.meta.url), "utf8"));
