// Creates elements of HTML and SVG from scripts. Text is inserted as text, not as markup: names and descriptions of
// scenarios are not trusted.

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const button = (label, onclick, attributes = {}) => make("button", { type: "button", onclick, ...attributes }, label);

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Changes the text of an element. Text that stays the same is not announced again.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// The parts of a text in which backticks enclose code.
export const marked = (text) => text.split("`").map((part, index) => (index % 2 ? make("code", {}, part) : part));

// Like setText, for a text in which backticks enclose code.
export function setMarkedText(element, text) {
  if (element.textContent !== text.replaceAll("`", "")) element.replaceChildren(...marked(text));
}

// Offers text or a blob as a file.
export function download(name, content, type = "text/plain") {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
