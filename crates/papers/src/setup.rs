//! Set-ups: one reading for each point that a paper leaves open.

use std::fmt;

use crate::case::Case;
use crate::choice::{Choice, Reading};

/// One option for each choice of an experiment or of a paper.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The choices with the positions of their options.
    options: Vec<(&'static Choice, usize)>,
}

impl Setup {
    /// The leading option of each choice.
    pub fn leading(choices: &[&'static Choice]) -> Self {
        Self { options: choices.iter().map(|choice| (*choice, 0)).collect() }
    }

    /// All set-ups, that is, all combinations of options; the leading set-up comes first.
    pub fn all(choices: &[&'static Choice]) -> Vec<Self> {
        Self::combinations(choices, |_, _| true)
    }

    /// All combinations of the options selected by position; the leading option is always included.
    pub(crate) fn combinations(
        choices: &[&'static Choice],
        counts: impl Fn(&'static Choice, usize) -> bool,
    ) -> Vec<Self> {
        let extended = |setups: Vec<Self>, choice: &&'static Choice| {
            let places: Vec<usize> =
                (0..choice.options.len()).filter(|place| *place == 0 || counts(choice, *place)).collect();
            let with = |setup: &Self, place| {
                let mut options = setup.options.clone();
                options.push((*choice, place));
                Self { options }
            };
            setups.iter().flat_map(|setup| places.iter().map(move |place| with(setup, *place))).collect()
        };
        choices.iter().fold(vec![Self::default()], extended)
    }

    /// This set-up with every option that is not selected by position replaced by the leading one.
    pub(crate) fn reduced(&self, counts: impl Fn(&'static Choice, usize) -> bool) -> Self {
        let reduce = |(choice, place): &(&'static Choice, usize)| {
            (*choice, if counts(choice, *place) { *place } else { 0 })
        };
        Self { options: self.options.iter().map(reduce).collect() }
    }

    /// The choices in which another set-up differs from this one, with the positions of its options in the other
    /// set-up.
    pub(crate) fn changes<'s>(
        &'s self,
        other: &'s Self,
    ) -> impl Iterator<Item = (&'static Choice, usize)> + 's {
        let pairs = self.options.iter().zip(&other.options);
        pairs.filter(|(one, other)| one.1 != other.1).map(|(_, other)| *other)
    }

    /// The set-ups that differ from this one in one choice.
    #[must_use]
    pub fn neighbours(&self) -> Vec<Self> {
        let changed = |index: usize| {
            let (choice, current) = self.options[index];
            let others = (0..choice.options.len()).filter(move |place| *place != current);
            others.map(move |place| {
                let mut options = self.options.clone();
                options[index].1 = place;
                Self { options }
            })
        };
        (0..self.options.len()).flat_map(changed).collect()
    }

    /// This set-up, restricted to some of its choices.
    ///
    /// # Panics
    /// If it lacks one of them.
    #[must_use]
    pub fn restricted(&self, choices: &[&'static Choice]) -> Self {
        Self { options: choices.iter().map(|choice| (*choice, self.place(choice))).collect() }
    }

    /// The option for a choice.
    ///
    /// # Panics
    /// If the set-up does not have the choice, which is a mistake in an experiment.
    pub fn option(&self, choice: &Choice) -> &'static Reading {
        let found = self.options.iter().find(|(one, _)| one.name == choice.name);
        let (choice, place) = found.unwrap_or_else(|| panic!("the set-up has no choice {:?}", choice.name));
        &choice.options[*place]
    }

    fn place(&self, choice: &Choice) -> usize {
        let found = self.options.iter().find(|(one, _)| one.name == choice.name);
        found.unwrap_or_else(|| panic!("the set-up has no choice {:?}", choice.name)).1
    }

    /// The choices with their options.
    pub fn options(&self) -> impl Iterator<Item = (&'static Choice, &'static Reading)> {
        self.options.iter().map(|(choice, place)| (*choice, &choice.options[*place]))
    }

    /// The options other than the leading ones.
    pub fn departures(&self) -> impl Iterator<Item = (&'static Choice, &'static Reading)> {
        let other = self.options.iter().filter(|(_, place)| *place != 0);
        other.map(|(choice, place)| (*choice, &choice.options[*place]))
    }

    /// Whether every option is the leading one.
    pub fn leads(&self) -> bool {
        self.departures().next().is_none()
    }

    /// The options other than the leading ones, in words; for the leading set-up, "leading set-up".
    pub fn words(&self) -> String {
        let words: Vec<&str> = self.departures().map(|(_, option)| option.words).collect();
        if words.is_empty() { "leading set-up".to_owned() } else { words.join(", ") }
    }

    /// A case with the settings of this set-up. The case's own settings take precedence. A choice that has no
    /// effect on the case keeps its leading option.
    pub fn apply(&self, case: &Case) -> Case {
        let option = |(choice, option): (&'static Choice, &'static Reading)| {
            if case.unaffected.contains(&choice.name) { choice.leading() } else { option }
        };
        case.with_defaults(self.options().map(option).flat_map(|option| option.settings).copied())
    }
}

/// `choice=option` for every choice, separated by commas.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (choice, option)) in self.options().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{}={}", choice.name, option.name)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::reading;

    static SCALE: Choice = Choice {
        name: "scale",
        question: "How is feedback scaled?",
        text: "",
        why: "",
        options: &[
            reading("frames", "feedback in frames", &["control.qcn.cp.weight=2"]),
            reading("share", "feedback as a share", &["control.qcn.cp.weight=4"]),
        ],
    };
    static LENGTH: Choice = Choice {
        name: "length",
        question: "How long is the run?",
        text: "",
        why: "",
        options: &[
            reading("1s", "1 s", &["duration=\"1 s\""]),
            reading("2s", "2 s", &["duration=\"2 s\""]),
            reading("3s", "3 s", &["duration=\"3 s\""]),
        ],
    };

    const QCN: &str = "duration = \"40 ms\"\n[topology.dumbbell]\nsenders = 2\n[control.qcn]\n";

    #[test]
    fn all_combinations_and_neighbours() {
        let all = Setup::all(&[&SCALE, &LENGTH]);
        let texts: Vec<String> = all.iter().map(Setup::to_string).collect();
        assert_eq!(texts.len(), 6);
        assert_eq!(texts[0], "scale=frames,length=1s");
        assert_eq!(texts[5], "scale=share,length=3s");
        assert!(all[0].leads() && all[0] == Setup::leading(&[&SCALE, &LENGTH]));
        let neighbours: Vec<String> = all[0].neighbours().iter().map(Setup::words).collect();
        assert_eq!(neighbours, ["feedback as a share", "2 s", "3 s"]);
        assert_eq!(all[5].restricted(&[&LENGTH]).to_string(), "length=3s");
        assert_eq!(all[5].option(&SCALE).name, "share");
        assert_eq!(Setup::all(&[]), [Setup::default()]);
    }

    #[test]
    fn settings_of_an_algorithm_apply_where_it_is_used_and_the_case_wins() {
        let setup = Setup::all(&[&SCALE, &LENGTH]).pop().unwrap();
        let qcn = Case::new("qcn", "QCN", QCN).set("duration=\"5 s\"");
        assert_eq!(
            setup.apply(&qcn).settings,
            ["control.qcn.cp.weight=4", "duration=\"3 s\"", "duration=\"5 s\""]
        );
        let none = Case::new("none", "none", QCN).set("control=none");
        assert_eq!(setup.apply(&none).settings, ["duration=\"3 s\"", "control=none"]);
        let unaffected = Case::new("qcn", "QCN", QCN).unaffected_by(&LENGTH);
        assert_eq!(setup.apply(&unaffected).settings, ["control.qcn.cp.weight=4", "duration=\"1 s\""]);
    }
}
