// Changes the text of an element without removing a node.
//
// Chromium ends an undo step whenever a node is removed anywhere in the page. Code that runs after every keystroke must
// therefore reuse its nodes, or Ctrl+Z would undo single characters.
export function setText(element, text) {
  const node = element.firstChild;
  if (!node) element.append(text);
  else if (node.nodeValue !== text) node.nodeValue = text;
}
