//! "Did you mean …?" for mistyped names.
//!
//! Names are compared in lower case and without separators: `leafspine` equals `leaf-spine`. A candidate a few
//! edits away ranks first, then one with a part a few edits away (`fig8` and `af-qcn/fig08`), then one that contains
//! the given name (`leafspine` and `leaf-spine-web-search`), then one that the given name contains.
//!
//! ```
//! let keys = ["senders", "rate", "rtt"];
//! assert_eq!(setpoint_suggest::nearest("sender", keys), Some("senders"));
//! assert_eq!(setpoint_suggest::did_you_mean("sender", keys).unwrap(), "did you mean `senders`?");
//! assert_eq!(setpoint_suggest::nearest("buffer", keys), None);
//! ```

/// The maximum number of suggestions.
const MAX_SUGGESTIONS: usize = 3;
/// The minimum length of a name that is searched for within others.
const MIN_PART: usize = 3;

/// The closest candidate, if it is a plausible correction.
pub fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    similar(given, candidates).first().copied()
}

/// The candidate that differs from the given name by a few letters, if there is one. Unlike [`nearest`], it ignores
/// candidates that merely contain the name or are contained in it.
pub fn misspelt<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = normalised(given);
    let near = |candidate: &'a str| Some((distance(&given, &normalised(candidate))?, candidate));
    candidates
        .into_iter()
        .filter_map(near)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// A question that suggests the closest candidates: "did you mean `a` or `b`?".
pub fn did_you_mean<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let quoted: Vec<String> =
        similar(given, candidates).iter().map(|candidate| format!("`{candidate}`")).collect();
    match &quoted[..] {
        [] => None,
        [one] => Some(format!("did you mean {one}?")),
        [others @ .., last] => Some(format!("did you mean {} or {last}?", others.join(", "))),
    }
}

/// The candidates that share the best rank, without duplicates, in the order given.
fn similar<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let given = normalised(given);
    let mut best: Option<Rank> = None;
    let mut found: Vec<&str> = Vec::new();
    for candidate in candidates {
        let Some(rank) = rank(&given, candidate) else { continue };
        if best.is_none_or(|best| rank < best) {
            best = Some(rank);
            found.clear();
        }
        let is_new = || found.iter().all(|other| normalised(other) != normalised(candidate));
        if best == Some(rank) && found.len() < MAX_SUGGESTIONS && is_new() {
            found.push(candidate);
        }
    }
    found
}

/// How well a candidate matches, best rank first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// The whole candidate is this many edits away.
    Whole(usize),
    /// A part of the candidate is this many edits away.
    Part(usize),
    /// The candidate contains the given name.
    Contains,
    /// The given name contains the candidate.
    Contained,
}

fn rank(given: &str, candidate: &str) -> Option<Rank> {
    let whole = normalised(candidate);
    if let Some(distance) = distance(given, &whole) {
        return Some(Rank::Whole(distance));
    }
    let part = candidate.split(['/', '.']).filter_map(|part| distance(given, &normalised(part))).min();
    if let Some(distance) = part {
        return Some(Rank::Part(distance));
    }
    let length = |text: &str| text.chars().count();
    if length(given) >= MIN_PART && whole.contains(given) {
        return Some(Rank::Contains);
    }
    (length(&whole) > MIN_PART && given.contains(&whole)).then_some(Rank::Contained)
}

/// The number of edits between two names, if it is small for their length. Swapping two adjacent letters is one
/// edit.
fn distance(given: &str, candidate: &str) -> Option<usize> {
    let length = given.chars().count();
    let allowed = (length / 3).max(1).min(length.saturating_sub(1));
    if candidate.chars().count().abs_diff(length) > allowed {
        return None;
    }
    Some(strsim::osa_distance(given, candidate)).filter(|distance| *distance <= allowed)
}

/// A name in lower case without separators.
fn normalised(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_near_names_are_suggested() {
        let keys = ["senders", "rate", "rtt"];
        assert_eq!(nearest("sender", keys), Some("senders"));
        assert_eq!(nearest("Rate", keys), Some("rate"));
        assert_eq!(nearest("buffer", keys), None);
        assert_eq!(nearest("x", ["a", "b"]), None);
        assert_eq!(nearest("", keys), None);
    }

    #[test]
    fn separators_and_parts() {
        let names = ["default", "leaf-spine-web-search", "rack-fabric", "league-fabric", "rack-fabric-640"];
        assert_eq!(nearest("leafspine", names), Some("leaf-spine-web-search"));
        assert_eq!(nearest("web_search", names), Some("leaf-spine-web-search"));
        assert_eq!(nearest("Rack Fabric", names), Some("rack-fabric"));
        assert_eq!(
            did_you_mean("fabric", names).unwrap(),
            "did you mean `rack-fabric`, `league-fabric` or `rack-fabric-640`?"
        );
        assert_eq!(nearest("default-scenario", names), Some("default"));
        let figures = ["af-qcn/fig08", "smcc/fig18", "af-qcn/fig09"];
        assert_eq!(did_you_mean("fig8", figures).unwrap(), "did you mean `af-qcn/fig08` or `smcc/fig18`?");
    }
}
