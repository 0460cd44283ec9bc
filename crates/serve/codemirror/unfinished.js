// Ends an array or an inline table whose bracket is missing before the next statement, which would otherwise be read as
// one of its elements until a later bracket.

import { ExternalTokenizer } from "@lezer/lr";
import { unfinishedArray, unfinishedTable } from "./toml.terms";

const HEADER = /^\r?\n[ \t]*\[\[?[ \t]*[A-Za-z_][\w.-]*[ \t]*\]\]?[ \t]*(?:[\r\n#]|$)/;
const PAIR = /^\r?\n[ \t]*[\w.-]+[ \t]*=/; // inside an inline table it would be an entry
const LOOKAHEAD = 200;

export const unfinished = new ExternalTokenizer((input, stack) => {
  if (input.next !== 10 && input.next !== 13) return;
  const ends = (term, ...patterns) => stack.canShift(term) && patterns.some((pattern) => pattern.test(ahead(input)));
  if (ends(unfinishedArray, HEADER, PAIR)) input.acceptToken(unfinishedArray);
  else if (ends(unfinishedTable, HEADER)) input.acceptToken(unfinishedTable);
}, { contextual: true });

function ahead(input) {
  let text = "";
  for (let at = 0; at < LOOKAHEAD; at += 1) {
    const code = input.peek(at);
    if (code < 0 || (code === 10 && at > 1)) break;
    text += String.fromCharCode(code);
  }
  return text;
}
