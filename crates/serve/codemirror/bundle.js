// Everything that the page uses of CodeMirror, and the parser of TOML.

export { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, pickedCompletion, startCompletion } from "@codemirror/autocomplete";
export { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
export { bracketMatching, codeFolding, ensureSyntaxTree, foldGutter, foldInside, foldKeymap, foldNodeProp, foldService, HighlightStyle, indentService, indentUnit, LanguageSupport, LRLanguage, syntaxHighlighting, syntaxTree } from "@codemirror/language";
export { forEachDiagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
export { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
export { Annotation, EditorState, Prec } from "@codemirror/state";
export { Decoration, EditorView, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers, MatchDecorator, ViewPlugin } from "@codemirror/view";
export { styleTags, tags } from "@lezer/highlight";
export { parser } from "./toml.grammar";
