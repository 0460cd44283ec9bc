// Writes the bundle of CodeMirror that the page loads, `../assets/vendor/codemirror.min.js`, and its licences. Cargo does
// not need it: the bundle is part of the repository. After a change of a version in package.json, of bundle.js or of the
// grammar, run
//
//     npm install && node build.mjs
//
// in this folder. The versions are exact, so every machine writes the same octets; `npm ci && node build.mjs --check`
// compares them with the files, and fails if they differ.

import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { buildParserFile } from "@lezer/generator";

const inFolder = (path) => new URL(path, import.meta.url);

const grammar = {
  name: "grammar",
  setup(bundler) {
    const parts = (fileName) => buildParserFile(readFileSync(fileName, "utf8"), { fileName });
    bundler.onResolve({ filter: /\.terms$/ }, ({ path }) => ({ path: inFolder(path).pathname }));
    bundler.onLoad({ filter: /\.grammar$/ }, ({ path }) => ({ contents: parts(path).parser }));
    bundler.onLoad({ filter: /\.terms$/ }, ({ path }) => ({ contents: parts(path.replace(".terms", ".grammar")).terms }));
  },
};

const { metafile, outputFiles } = await build({
  entryPoints: ["bundle.js"], absWorkingDir: inFolder(".").pathname, bundle: true, minify: true, format: "esm", target: "es2022",
  charset: "utf8", legalComments: "none", metafile: true, write: false, plugins: [grammar],
});

const names = Object.keys(metafile.inputs).map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]).filter(Boolean);
const packages = [...new Set(names)].sort().map((name) => {
  const { version } = JSON.parse(readFileSync(inFolder(`node_modules/${name}/package.json`), "utf8"));
  return { title: `${name} ${version}`, licence: readFileSync(inFolder(`node_modules/${name}/LICENSE`), "utf8").trim() };
});
const licences = [...new Set(packages.map(({ licence }) => licence))].map((licence) => {
  const titles = packages.filter((each) => each.licence === licence).map(({ title }) => title);
  return `${titles.join("\n")}\n\n${licence}\n`;
});

const files = {
  "codemirror.min.js": `// CodeMirror and the packages in codemirror.LICENSE, bundled by crates/serve/codemirror/build.mjs.\n${outputFiles[0].text}`,
  "codemirror.LICENSE": licences.join(`\n${"-".repeat(70)}\n\n`),
};
for (const [name, text] of Object.entries(files)) {
  const file = inFolder(`../assets/vendor/${name}`);
  if (!process.argv.includes("--check")) {
    writeFileSync(file, text);
  } else if (readFileSync(file, "utf8") !== text) {
    console.error(`${name} is not what build.mjs writes; run \`npm ci && node build.mjs\` in crates/serve/codemirror`);
    process.exitCode = 1;
  }
}
