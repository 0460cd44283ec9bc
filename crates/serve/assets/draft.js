// The scenario on the bench, which other views can use: its name and text, or null.

let draft = null;

export const keepDraft = (name, text) => { draft = { name, text }; };
export const keptDraft = () => draft;
