// A plain file server for the tests: it sends a folder at a path below the root, without special headers.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the static site: `SETPOINT_SITE`, or the one that `./check` writes. */
export const site = process.env.SETPOINT_SITE ?? fileURLToPath(new URL("../../../../target/site", import.meta.url));
export const hasSite = existsSync(join(site, "lab/index.html"));

// Like many file servers, this one does not know WebAssembly.
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json" };
const PATH = "/some/where/";

/** Serves the site: its address, the requests that it does not contain, and `close()`. */
export async function serveSite() {
  const foreign = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    try {
      if (!pathname.startsWith(PATH)) throw new Error("outside");
      const path = normalize(decodeURIComponent(pathname.slice(PATH.length)));
      const file = path.endsWith("/") || path === "." ? join(path, "index.html") : path;
      const content = await readFile(join(site, file));
      response.setHeader("Content-Type", TYPES[extname(file)] ?? "application/octet-stream");
      response.end(content);
    } catch {
      foreign.push(request.url);
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`, address: `http://127.0.0.1:${server.address().port}${PATH}`, foreign,
    close: () => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); }),
  };
}
