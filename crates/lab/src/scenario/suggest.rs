//! "Did you mean …?"
//!
//! Names are compared without case and without what separates their words: `leafspine` is `leaf-spine`. What is near by a few
//! letters comes first, then what is near to a part (`fig8` to `af-qcn/fig08`), then what holds it (`leafspine` in
//! `leaf-spine-web-search`).

/// At most so many are suggested.
const MOST: usize = 3;
/// What is shorter is held by too many names.
const SHORTEST_PART: usize = 3;

/// The candidate that is nearest to what was written, if one is near enough to be meant.
#[must_use]
pub fn nearest<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    similar(written, candidates).first().copied()
}

/// The candidates that are equally near, in words: "did you mean `a` or `b`?".
#[must_use]
pub fn did_you_mean<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let quoted: Vec<String> =
        similar(written, candidates).iter().map(|candidate| format!("`{candidate}`")).collect();
    match &quoted[..] {
        [] => None,
        [one] => Some(format!("did you mean {one}?")),
        [others @ .., last] => Some(format!("did you mean {} or {last}?", others.join(", "))),
    }
}

/// The nearest candidates: those of the best kind of likeness, each once, in the order given.
#[must_use]
fn similar<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let plain_written = plain(written);
    let mut best: Option<Likeness> = None;
    let mut found: Vec<&str> = Vec::new();
    for candidate in candidates {
        let Some(likeness) = likeness(&plain_written, candidate) else { continue };
        if best.is_none_or(|best| likeness < best) {
            best = Some(likeness);
            found.clear();
        }
        let is_new = || found.iter().all(|other| plain(other) != plain(candidate));
        if best == Some(likeness) && found.len() < MOST && is_new() {
            found.push(candidate);
        }
    }
    found
}

/// How alike two names are, the most alike first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    /// So many letters apart.
    Whole(usize),
    /// A part of the candidate is so many letters away.
    Part(usize),
    /// The candidate holds what was written.
    Holds,
    /// The candidate is held by it.
    IsHeld,
}

fn likeness(written: &str, candidate: &str) -> Option<Likeness> {
    let whole = plain(candidate);
    if let Some(distance) = near(written, &whole) {
        return Some(Likeness::Whole(distance));
    }
    let part = candidate.split(['/', '.']).filter_map(|part| near(written, &plain(part))).min();
    if let Some(distance) = part {
        return Some(Likeness::Part(distance));
    }
    let length = |text: &str| text.chars().count();
    if length(written) >= SHORTEST_PART && whole.contains(written) {
        return Some(Likeness::Holds);
    }
    (length(&whole) > SHORTEST_PART && written.contains(&whole)).then_some(Likeness::IsHeld)
}

/// How many letters two names are apart, if they are few.
fn near(written: &str, candidate: &str) -> Option<usize> {
    let length = written.chars().count();
    let allowed = (length / 3).max(1).min(length.saturating_sub(1));
    if candidate.chars().count().abs_diff(length) > allowed {
        return None;
    }
    Some(distance(written, candidate)).filter(|distance| *distance <= allowed)
}

/// A name in lower case, without what separates its words.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

/// How many characters must be inserted, removed, replaced or swapped with their neighbour (the
/// optimal string alignment distance).
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut before: Vec<usize> = vec![0; other.len() + 1];
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (row, a) in one.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, b) in other.iter().enumerate() {
            let replaced = last[column] + usize::from(a != b);
            let mut least = replaced.min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && *a == other[column - 1] && one[row - 1] == *b {
                least = least.min(before[column - 1] + 1);
            }
            current.push(least);
        }
        before = std::mem::replace(&mut last, current);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (one, other, expected) in
            [("", "", 0), ("rate", "", 4), ("rate", "rate", 0), ("raet", "rate", 1), ("sendr", "senders", 2)]
        {
            assert_eq!(distance(one, other), expected, "{one} {other}");
            assert_eq!(distance(other, one), expected, "{other} {one}");
        }
    }

    #[test]
    fn only_what_is_near_is_suggested() {
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
