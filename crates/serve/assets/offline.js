// The service worker of the site, which keeps the laboratory for use without a network. The server of `setpoint serve` has none,
// and browsers have none for files and for servers without encryption.

import { engine } from "./engine/engine.js";

const WORKER = new URL("../../worker.js", import.meta.url); // in the folder of the site, whose pages it then controls

/** Registers the service worker after the page has been loaded: it reads all files of the site. */
export function keepOffline() {
  if (engine.name !== "browser" || !navigator.serviceWorker || !location.protocol.startsWith("http")) return;
  const register = () => navigator.serviceWorker.register(WORKER).catch(() => {});
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
}
