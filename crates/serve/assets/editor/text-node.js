// Changes the text of an element without removing a node.
//
// Chromium ends a step of undo whenever a node is removed anywhere in the page. What follows every key must therefore reuse
// its nodes, or Ctrl+Z would take back single characters.
export function setText(element, text) {
  const node = element.firstChild;
  if (!node) element.append(text);
  else if (node.nodeValue !== text) node.nodeValue = text;
}
