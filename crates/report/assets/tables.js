
// Sortable tables: a button in every heading. Numbers are sorted by value, other text alphabetically, and cells without a
// value come last. The first click sorts in ascending order, the second in descending order, and the third restores the
// original order.
{
const powers = { p: 1e-12, n: 1e-9, u: 1e-6, µ: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12 };
const factor = unit => {
  const [, prefix] = unit.match(/^([pnuµmkMGT])(?:s|B|b\/s|rad\/s)(?![a-z])/) || [];
  return unit.startsWith("%") ? .01 : powers[prefix] || 1;
};
const amount = text => {
  const plain = text.replace(/[\u00a0\u202f\u2009]/g, " ").replace(/−/g, "-").replace(/(\d) (?=\d{3}(?!\d))/g, "$1");
  const power = plain.match(/^2\^(-?\d+)$/), found = plain.match(/^[>≥~×+\s]*(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?: ?([^\s\d]\S*))?/i);
  return power ? 2 ** power[1] : found ? Number(found[1]) * factor(found[2] || "") : null;
};
const content = (row, column) => {
  const cell = row.cells[column], first = cell && cell.querySelector("div");
  return ((first ? first.firstChild : cell) || { textContent: "" }).textContent.trim();
};
const compare = column => (one, other) => {
  const [a, b] = [one, other].map(row => content(row, column)), [x, y] = [a, b].map(amount);
  if (x !== null && y !== null) return x - y;
  return x === y ? a.localeCompare(b, "en", { numeric: true }) : x === null ? 1 : -1;
};
const isEmpty = (row, column) => /^[–-]?$/.test(content(row, column));
const arrange = (bodies, counts, rows) => {
  let from = 0;
  bodies.forEach((body, index) => { body.append(...rows.slice(from, from + counts[index])); from += counts[index]; });
};
for (const table of document.querySelectorAll("table.sortable")) {
  // Folded rows of the same table are sorted together with the open ones.
  const next = table.closest(".bleed").nextElementSibling, folded = next && next.matches("details:not(.more)") ? next.querySelector("table.sortable") : null;
  if (table.closest("details:not(.more)")) continue;
  const bodies = [table, folded].filter(Boolean).map(one => one.tBodies[0]), counts = bodies.map(body => body.rows.length);
  const original = bodies.flatMap(body => [...body.rows]), headings = [...table.tHead.rows[0].cells];
  if (original.length < 3) continue;
  headings.forEach((heading, column) => {
    if (!heading.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...heading.childNodes);
    heading.append(button);
    button.onclick = () => {
      const order = { ascending: "descending", descending: "none" }[heading.getAttribute("aria-sort")] || "ascending";
      headings.forEach(one => one.removeAttribute("aria-sort"));
      if (order === "none") return arrange(bodies, counts, original);
      heading.setAttribute("aria-sort", order);
      const full = original.filter(row => !isEmpty(row, column)).sort(compare(column));
      if (order === "descending") full.reverse();
      arrange(bodies, counts, [...full, ...original.filter(row => isEmpty(row, column))]);
    };
  });
}
}
