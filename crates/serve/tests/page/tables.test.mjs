// Sortable tables of reports, in Chromium.

import test from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const SCRIPT = readFileSync(new URL("../../../report/assets/tables.js", import.meta.url), "utf8");

const row = ([name, value]) => `<tr><th>${name}</th><td><div>${value}<span class="under">± 1 B</span></div></td></tr>`;
const table = rows => `<table class="sortable"><thead><tr><th>Name</th><th>Value</th></tr></thead><tbody>${rows.map(row).join("")}</tbody></table>`;
const page = (open, folded) => `<div class="bleed">${table(open)}</div><details><div class="bleed">${table(folded)}</div></details><script>${SCRIPT}</script>`;

const names = tab => tab.$$eval("tbody", bodies => bodies.map(body => [...body.rows].map(one => one.cells[0].textContent).join(" ")));

test("a button in a heading sorts open and folded rows by value", async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    const tab = await browser.newPage();
    await tab.setContent(page([["s10", "1.5&nbsp;kB"], ["s9", "&gt;&nbsp;20&nbsp;B"], ["s1", "–"]], [["a", "−3&nbsp;B"], ["b", "12\u202f000&nbsp;B"]]));
    const headings = tab.locator(".bleed:first-child thead th");
    assert.equal(await tab.locator("button").count(), 2, "the folded table follows the open one");
    const value = tab.getByRole("button", { name: "Value" });
    await value.focus();
    await tab.keyboard.press("Enter");
    assert.deepEqual(await names(tab), ["a s9 s10", "b s1"]);
    assert.equal(await headings.nth(1).getAttribute("aria-sort"), "ascending");
    await value.click();
    assert.deepEqual(await names(tab), ["b s10 s9", "a s1"]);
    await value.click();
    assert.deepEqual(await names(tab), ["s10 s9 s1", "a b"]);
    assert.equal(await headings.nth(1).getAttribute("aria-sort"), null);
    await tab.getByRole("button", { name: "Name" }).click();
    assert.deepEqual(await names(tab), ["a b s1", "s9 s10"]);
  } finally {
    await browser.close();
  }
});

const STYLE = ["report.css", "document.css"].map(name => readFileSync(new URL(`../../../report/assets/${name}`, import.meta.url), "utf8")).join("");
const cells = (tag, count, text) => Array.from({ length: count }, (_, index) => `<${tag} class="number">${text(index)}</${tag}>`).join("");
// Cells have a fixed width, so that the outcome does not depend on the fonts of the machine.
const matrix = columns => `<div class="bleed"><div class="box"><table class="matrix"><thead><tr><th>Algorithm</th>${cells("th", columns, () => "Completion time, 99th percentile")}</tr></thead>
<tbody><tr><th class="words">qcn</th>${cells("td", columns, index => `<div style="width:130px">120 Gb/s ± ${index} Gb/s</div>`)}</tr></tbody></table></div></div>`;

test("a wide table uses the margins of the window before it scrolls", async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await tab.setContent(`<style>${STYLE}</style><main><section><p id="text">Text</p>${[2, 7, 20].map(matrix).join("")}</section></main>`);
    const text = await tab.locator("#text").boundingBox();
    const boxes = await tab.$$eval(".box", all => all.map(one => ({ left: one.getBoundingClientRect().left, width: one.clientWidth, content: one.scrollWidth })));
    const [narrow, wide, endless] = boxes;
    assert.ok(narrow.left === text.x && narrow.width < text.width, "a narrow table begins where the text does");
    assert.ok(wide.width > text.width && wide.content === wide.width, JSON.stringify(wide));
    assert.ok(endless.left < text.x && endless.width > 1200 && endless.content > endless.width, JSON.stringify(endless));
    assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth), 1280, "the page itself does not scroll sideways");
  } finally {
    await browser.close();
  }
});
