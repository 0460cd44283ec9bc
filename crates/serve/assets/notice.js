// Short messages at the lower edge of the page.

let timer = 0;

export function notice(text, kind = "") {
  const element = document.getElementById("notice");
  element.textContent = text;
  element.className = kind;
  clearTimeout(timer);
  timer = setTimeout(() => { element.textContent = ""; }, kind === "bad" ? 12_000 : 4_000);
}
