// Keeps all files of the site in a cache, so that it works without a network after the first visit. The program fills in the
// version, which is a digest of all files, and the list of files. A new version replaces the cache once it is complete.
const VERSION = "{version}";
const FILES = {files};
// Another site of the same origin has caches of its own.
const OWN = `setpoint ${new URL(registration.scope).pathname} `;
const CACHE = OWN + VERSION;

addEventListener("install", (event) => event.waitUntil((async () => {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
  await skipWaiting();
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith(OWN) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
})()));

addEventListener("fetch", (event) => {
  const { href, pathname } = new URL(event.request.url);
  if (event.request.method !== "GET" || !href.startsWith(registration.scope)) return;
  const file = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
  event.respondWith((async () => {
    const cache = await caches.open(CACHE);
    return (await cache.match(file)) ?? fetch(event.request);
  })());
});
