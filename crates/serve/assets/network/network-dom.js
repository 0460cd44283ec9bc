// Small helpers for the drawing of a network.

export function html(name, className, text) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Sets an attribute only if it changes: setting an unchanged value would still trigger a style update. */
export function change(element, name, value) {
  const cache = (element.netCache ??= {});
  if (cache[name] === value) return;
  cache[name] = value;
  element.setAttribute(name, value);
}

export function percent(share) {
  if (!Number.isFinite(share)) return "–";
  const value = share * 100;
  return `${value > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)}\u00a0%`;
}
