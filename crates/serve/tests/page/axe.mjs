// Accessibility of the page that is shown: names, roles, keyboard access and contrast, checked by axe-core at every width, and at the
// largest in both themes. The page needs a context with `bypassCSP`, since its policy would refuse axe.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];
// The first rows of a table and the first cards of a group represent all of them, which would take minutes.
const ALIKE = ["tbody tr:nth-child(n+4)", ".cards > :nth-child(n+4)"];
const DRAWN = 250; // milliseconds, after which charts have been drawn in another size or theme

/** Widths for which the pages are designed: a projector, a tablet and a phone. */
export const WIDTHS = [1280, 800, 390];
export const THEMES = ["light", "dark"];

/** Fails if axe-core objects to the page or a frame in it, or if the page is wider than its window. */
export async function assertAccessible(page) {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    // Contrast depends on the theme, but hardly on the width.
    const themes = { 800: ["light"], 390: ["dark"] }[width] ?? THEMES;
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(DRAWN);
      const found = [];
      for (const frame of page.frames()) found.push(...await violations(frame));
      assert.deepEqual(found, [], `${colorScheme}, ${width} pixels`);
    }
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wider <= 0, `the page is ${wider} pixels wider than its window of ${width} pixels`);
  }
}

async function violations(frame) {
  if (!await frame.evaluate(() => "axe" in globalThis)) await frame.addScriptTag({ content: AXE });
  const found = await frame.evaluate(({ runOnly, exclude }) => {
    const options = { runOnly, iframes: false, resultTypes: ["violations"] };
    return globalThis.axe.run({ include: [document], exclude }, options);
  }, { runOnly: RULES, exclude: ALIKE });
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`));
}
