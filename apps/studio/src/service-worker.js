/**
 * Keeps the built files, so that the studio opens without a connection after the first visit. The list and its version are written by the
 * build (vite.config.ts); a new version replaces the old files once all of its own are here.
 */
const version = "__VERSION__";
const files = ["__FILES__"];

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(version)
      .then((cache) => cache.addAll(files))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const old = caches
    .keys()
    .then((names) => names.filter((name) => name.startsWith("argmax-studio-") && name !== version));
  event.waitUntil(
    old
      .then((names) => Promise.all(names.map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    // The page as the host has it now; the kept one without a connection.
    event.respondWith(fetch(request).catch(() => caches.match("./", { cacheName: version })));
    return;
  }
  event.respondWith(caches.match(request, { cacheName: version }).then((kept) => kept ?? fetch(request)));
});
