// Accessibility of all views, in both themes: names, roles, keyboard access and contrast, checked by axe-core.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, it } from "node:test";

import { served } from "./served.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe("accessibility", () => {
  const test = served({ context: { bypassCSP: true } }); // the page's policy would refuse axe

  async function violations() {
    await test.page.addScriptTag({ content: AXE });
    const found = await test.page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }));
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`));
  }

  const views = {
    gallery: async () => {
      await test.open("/");
      await test.page.locator(".card").first().waitFor();
    },
    bench: async () => {
      await test.open("/bench/scenario/league-few");
      await test.page.locator("#run:enabled").click();
      await test.ended();
    },
    compare: async () => {
      await test.open("/compare/scenario/league-few/control=qcn/control=smcc");
      await test.page.locator("#compare-run").click();
      await test.page.locator(".metrics").waitFor({ timeout: 60_000 });
    },
    lecture: async () => {
      await test.open("/lecture/qcn/7");
      await test.page.locator("#lecture-run").click();
      await test.page.locator(".lecture[data-state=ended]").waitFor({ timeout: 60_000 });
    },
  };
  for (const [name, show] of Object.entries(views)) {
    it(`finds nothing to object to in ${name}`, async () => {
      for (const colorScheme of ["light", "dark"]) {
        await test.page.emulateMedia({ colorScheme });
        await show();
        await test.page.waitForTimeout(400); // the last frame of the charts
        assert.deepEqual(await violations(), [], colorScheme);
      }
    });
  }
});
