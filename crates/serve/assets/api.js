// Requests to `setpoint serve`, or to the server from which the page was loaded.

/** Sends a request with a JSON body, or without a body; returns JSON. Throws an error with the server's message. */
export async function ask(path, body, signal) {
  const response = await request(path, body, signal);
  return response.status === 204 ? null : response.json();
}

/** The text at an address. */
export const text = async (path, signal) => (await request(path, undefined, signal)).text();

async function request(path, body, signal) {
  const options = body === undefined
    ? { signal }
    : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("the server does not respond; is `setpoint serve` still running?");
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({}));
  throw new Error(answer.error ?? `the server answered with ${response.status}`);
}

/** The server-sent events that answer a request, as [name, data]. */
export async function* stream(path, body, signal) {
  const response = await request(path, body, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    let end;
    while ((end = text.indexOf("\n\n")) >= 0) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const field = (name) => lines.find((line) => line.startsWith(name))?.slice(name.length) ?? "";
      yield [field("event: "), JSON.parse(field("data: ") || "null")];
    }
  }
}
