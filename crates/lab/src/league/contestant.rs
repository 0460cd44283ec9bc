//! A contestant of the league: an algorithm with its defaults or with one of its profiles.

use std::fmt;
use std::str::FromStr;

use setpoint_control::Algorithm;
use setpoint_suggest::did_you_mean;

/// An algorithm, and the profile that it uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contestant {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The name of the profile; none for the defaults.
    profile: Option<&'static str>,
}

/// The profiles that take part unless the user chooses: variants that the literature treats as algorithms of their own.
const VARIANTS: [(Algorithm, &str); 3] = [
    (Algorithm::Dcqcn, "hpcc-window"),
    (Algorithm::Timely, "patched"),
    (Algorithm::Powertcp, "theta-powertcp"),
];

impl Contestant {
    /// Every algorithm with its defaults, and some with a profile, in the order of the tables.
    pub fn usual() -> Vec<Self> {
        let variants = VARIANTS.iter().filter_map(|(algorithm, profile)| Self::of(*algorithm, profile));
        in_order(Algorithm::ALL.into_iter().map(Self::from).chain(variants))
    }

    /// An algorithm with one of its profiles; none if it has no such profile. The first profile is the defaults.
    fn of(algorithm: Algorithm, profile: &str) -> Option<Self> {
        let profiles = algorithm.profiles();
        let place = profiles.iter().position(|one| one.name == profile)?;
        Some(Self { algorithm, profile: (place > 0).then_some(profiles[place].name) })
    }

    /// The settings of a scenario that choose it.
    pub(super) fn settings(self) -> Vec<String> {
        let name = self.algorithm.name();
        let profile = self.profile.map(|profile| format!("control.{name}.profile={profile}"));
        [format!("control={name}")].into_iter().chain(profile).collect()
    }

    /// The position of the algorithm, and that of the profile.
    fn position(&self) -> (Option<usize>, Option<usize>) {
        let algorithm = Algorithm::ALL.iter().position(|one| *one == self.algorithm);
        (algorithm, self.algorithm.profiles().iter().position(|one| Some(one.name) == self.profile))
    }
}

/// Contestants in the order of the tables, each once.
pub(super) fn in_order(contestants: impl IntoIterator<Item = Contestant>) -> Vec<Contestant> {
    let mut all: Vec<Contestant> = contestants.into_iter().collect();
    all.sort_by_key(Contestant::position);
    all.dedup();
    all
}

impl From<Algorithm> for Contestant {
    fn from(algorithm: Algorithm) -> Self {
        Self { algorithm, profile: None }
    }
}

/// Its name, as in `timely` or `timely:patched`.
impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.profile {
            None => f.write_str(self.algorithm.name()),
            Some(profile) => write!(f, "{}:{profile}", self.algorithm.name()),
        }
    }
}

impl FromStr for Contestant {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, profile) = match text.trim().split_once(':') {
            Some((name, profile)) => (name.trim(), Some(profile.trim())),
            None => (text.trim(), None),
        };
        let algorithm = Algorithm::from_name(name).ok_or_else(|| {
            let names = Algorithm::ALL.map(Algorithm::name);
            let remedy = did_you_mean(name, names);
            let remedy = remedy.unwrap_or_else(|| format!("expected one of {}", names.join(", ")));
            format!("there is no algorithm {name:?}; {remedy}")
        })?;
        let Some(profile) = profile else { return Ok(algorithm.into()) };
        Self::of(algorithm, profile).ok_or_else(|| no_profile(algorithm, profile))
    }
}

fn no_profile(algorithm: Algorithm, given: &str) -> String {
    let names: Vec<&str> = algorithm.profiles().iter().map(|profile| profile.name).collect();
    let remedy = match names.is_empty() {
        true => format!("it has none, so use {}", algorithm.name()),
        false => did_you_mean(given, names.iter().copied())
            .unwrap_or_else(|| format!("its profiles are {}", names.join(", "))),
    };
    format!("{} has no profile {given:?}; {remedy}", algorithm.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        text.parse::<Contestant>().map(|one| one.to_string())
    }

    #[test]
    fn names_are_read_and_written() {
        for name in
            ["qcn", "timely:patched", "powertcp:theta-powertcp", "hpcc:hpcc-per-rtt", "dcqcn:hpcc-window"]
        {
            assert_eq!(read(name).unwrap(), name);
        }
        assert_eq!(read(" timely : patched ").unwrap(), "timely:patched");
        assert_eq!(read("timely:paper").unwrap(), "timely", "the first profile is the defaults");
    }

    #[test]
    fn mistyped_names_are_corrected() {
        let problem = |text| read(text).unwrap_err();
        assert_eq!(problem("timly"), "there is no algorithm \"timly\"; did you mean `timely`?");
        assert_eq!(problem("timely:pached"), "timely has no profile \"pached\"; did you mean `patched`?");
        assert_eq!(
            problem("powertcp:x"),
            "powertcp has no profile \"x\"; its profiles are powertcp, theta-powertcp"
        );
        assert_eq!(problem("qcn:paper"), "qcn has no profile \"paper\"; it has none, so use qcn");
    }

    #[test]
    fn the_usual_contestants_are_in_order() {
        let names: Vec<String> = Contestant::usual().iter().map(ToString::to_string).collect();
        assert_eq!(names.len(), Algorithm::ALL.len() + VARIANTS.len());
        let place = |name: &str| names.iter().position(|one| one == name).unwrap();
        for (algorithm, profile) in VARIANTS {
            let name = algorithm.name();
            assert_eq!(place(&format!("{name}:{profile}")), place(name) + 1);
        }
    }

    #[test]
    fn a_contestant_takes_part_once() {
        let given = ["timely:patched", "qcn", "timely", "timely:patched"].map(|name| name.parse().unwrap());
        let names: Vec<String> = in_order(given).iter().map(ToString::to_string).collect();
        assert_eq!(names, ["qcn", "timely", "timely:patched"]);
    }
}
