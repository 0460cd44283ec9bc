//! The stored verdicts, which come from a full run.

use crate::record::ClaimRecord;

/// The stored outcome of every claim, as in `docs/verdicts.md`. Tests check that the claims have not changed since.
pub fn stored_verdicts() -> impl Iterator<Item = ClaimRecord> {
    include_str!("../verdicts.jsonl").lines().filter_map(|line| serde_json::from_str(line).ok())
}
