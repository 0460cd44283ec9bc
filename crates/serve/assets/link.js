// Permanent links, which contain the scenario in the address.

const MOST_LETTERS = 8000; // many programs truncate longer addresses
const MOST_TEXT = 1_000_000; // octets; a small link could unpack to a text of any size

const bytesToText = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const textToBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

async function through(bytes, stream, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error("the text is too long");
    }
    parts.push(value);
  }
}

export async function pack(text) {
  return bytesToText(await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"), Infinity));
}

/** The text of a link, or null if the link was truncated or changed. */
export async function unpack(packed) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await through(textToBytes(packed), new DecompressionStream("deflate-raw"), MOST_TEXT));
  } catch {
    return null;
  }
}

// If other machines can reach the server, links that are made on the server itself contain the address for the
// others.
function base() {
  const shared = document.querySelector("meta[name=setpoint-address]")?.content ?? "";
  const isOnServer = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return isOnServer && shared.startsWith("http") ? shared : `${location.origin}${location.pathname}`;
}

/** The address of a view of this page. `path` has one entry per part. Throws an error if the address is too long for a link. */
export function linkTo(path) {
  const address = `${base()}#/${path.map(encodeURIComponent).join("/")}`;
  if (address.length <= MOST_LETTERS) return address;
  throw new Error(`the link would have ${address.length} characters, and many programs truncate links with more than ${MOST_LETTERS}; save the scenario as a file (TOML) instead`);
}

/** Shows an address in the address bar and copies it; returns the sentence for the user. */
export async function share(address) {
  history.replaceState(null, "", address.slice(address.indexOf("#")));
  try {
    await navigator.clipboard.writeText(address);
    return "The link has been copied and is in the address bar.";
  } catch {
    return "The link is in the address bar.";
  }
}
