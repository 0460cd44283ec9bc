// Edited scenarios. They survive Back and reload, until the tab is closed. A browser may deny access to its storage; then they
// last as long as the page.

const KEY = "setpoint-edits";
const MOST = 20; // edited scenarios that are kept

// `edits` are pairs of address and text, the oldest first; `last` is the scenario that was last on the bench.
let kept = { last: null, edits: [] };
try {
  kept = JSON.parse(sessionStorage.getItem(KEY)) ?? kept;
} catch {}

function store() {
  for (;;) {
    try {
      sessionStorage.setItem(KEY, JSON.stringify(kept));
      return;
    } catch (error) {
      if (error.name !== "QuotaExceededError" || kept.edits.length === 0) return;
      kept.edits.shift();
    }
  }
}

/** Keeps the scenario on the bench for other views; `address` is the path under #/bench. */
export function keepDraft(draft) {
  kept.last = draft;
  store();
}

/** The scenario on the bench, as { name, text, address }, or null. */
export const keptDraft = () => kept.last;

/** Keeps the edited text of the scenario at an address; null forgets it. */
export function keepEdit(address, text) {
  kept.edits = kept.edits.filter(([other]) => other !== address);
  if (text !== null) kept.edits.push([address, text]);
  kept.edits.splice(0, kept.edits.length - MOST);
  store();
}

export const keptEdit = (address) => kept.edits.find(([other]) => other === address)?.[1] ?? null;
