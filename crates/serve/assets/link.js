// Permanent links, which contain the scenario in the address.

const bytesToText = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const textToBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

async function through(bytes, stream) {
  const answer = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await answer.arrayBuffer());
}

export async function pack(text) {
  return bytesToText(await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw")));
}

/** The text of a link, or null if the link was truncated or changed. */
export async function unpack(packed) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await through(textToBytes(packed), new DecompressionStream("deflate-raw")));
  } catch {
    return null;
  }
}
