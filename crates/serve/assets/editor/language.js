// The language of scenarios for CodeMirror: colours, folding, indentation and comments.

import {
  Decoration, foldInside, foldNodeProp, foldService, HighlightStyle, indentService, indentUnit, LanguageSupport, LRLanguage,
  MatchDecorator, parser, Prec, styleTags, syntaxHighlighting, syntaxTree, tags, ViewPlugin,
} from "../vendor/codemirror.min.js";

const QUANTITY = /(["'])\s*([+-]?\d[\d_]*(?:\.\d+)?)\s*([TGMkK]?(?:B|b\/s|bps)|[GMK]iB|[munpµμ]?s|%|pp[mb])\s*\1/g;

const toml = LRLanguage.define({
  name: "toml",
  parser: parser.configure({
    props: [
      styleTags({
        "Header/... ArrayHeader/...": tags.heading, "Key/BareKey Key/String": tags.propertyName,
        "Header/Key/BareKey Header/Key/String ArrayHeader/Key/BareKey ArrayHeader/Key/String": tags.heading, "String LongString": tags.string,
        Scalar: tags.number, Boolean: tags.bool, Comment: tags.comment, "Equals [ ] { } ,": tags.punctuation,
      }),
      foldNodeProp.add({ Array: foldInside, InlineTable: foldInside }),
    ],
  }),
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["[", "{", '"', "'"] } },
});

const colours = HighlightStyle.define([
  [tags.heading, "table"], [tags.propertyName, "key"], [tags.string, "string"], [tags.number, "number"], [tags.bool, "word"],
  [tags.comment, "comment"], [tags.punctuation, "mark"],
].map(([tag, name]) => ({ tag, class: `toml-${name}` })));

// The number and the unit of a quantity in quotes ("10 Gb/s") are coloured separately.
const quantities = new MatchDecorator({
  regexp: QUANTITY,
  decorate(add, from, to, match, { state }) {
    if (syntaxTree(state).resolveInner(from, 1).name !== "String") return;
    for (const [part, name] of [[match[2], "number"], [match[3], "unit"]]) {
      const at = from + match[0].indexOf(part, name === "unit" ? match[0].indexOf(match[2]) + match[2].length : 0);
      add(at, at + part.length, Decoration.mark({ class: `toml-${name}` }));
    }
  },
});

const quantityColours = Prec.highest(ViewPlugin.define((view) => ({
  marks: quantities.createDeco(view),
  update(update) {
    this.marks = quantities.updateDeco(update, this.marks);
  },
}), { decorations: (plugin) => plugin.marks })); // inside the colour of the string

// A table folds from its header to its last key; comments above the next header belong to that header.
const foldTables = foldService.of((state, from, to) => {
  const header = syntaxTree(state).topNode.childAfter(from);
  if (!header || header.from > to || !/Header/.test(header.name)) return null;
  let last = header;
  for (let node = header.nextSibling; node && !/Header/.test(node.name); node = node.nextSibling) if (node.name === "Pair") last = node;
  return last.to > to ? { from: to, to: last.to } : null;
});

// A new line has the indentation of the previous one, and one step more after an opening bracket.
const indentation = indentService.of(({ state, unit, simulatedBreak }, at) => {
  const line = state.doc.lineAt(at);
  const margin = /^\s*/.exec(line.text)[0].length;
  const opened = at === simulatedBreak && /^(?!\s*\[).*[[{]\s*$/.test(line.text.slice(0, at - line.from));
  return margin + (opened ? unit : 0);
});

export const scenarioLanguage = new LanguageSupport(toml, [
  syntaxHighlighting(colours), quantityColours, foldTables, indentation, indentUnit.of("  "),
]);
