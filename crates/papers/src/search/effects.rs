//! The options that matter. An option that does not change the outcome of any claim of an experiment is not combined
//! with others there, so that far fewer set-ups are run.

use std::collections::BTreeSet;

use crate::choice::Choice;
use crate::experiment::Experiment;
use crate::setup::Setup;

/// The options that were observed to change the outcome of a claim: experiment, choice, and position of the option.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects(BTreeSet<(&'static str, &'static str, usize)>);

impl Effects {
    /// Adds an option.
    pub(super) fn add(&mut self, experiment: &Experiment, choice: &Choice, place: usize) {
        self.0.insert((experiment.id, choice.name, place));
    }

    /// Whether an option matters in any experiment.
    pub(super) fn has_anywhere(&self, choice: &Choice, place: usize) -> bool {
        self.0.iter().any(|(_, name, option)| *name == choice.name && *option == place)
    }

    /// The combinations of all options that matter somewhere.
    pub(super) fn setups(&self, choices: &[&'static Choice]) -> Vec<Setup> {
        Setup::combinations(choices, |choice, place| self.has_anywhere(choice, place))
    }

    /// The set-up reduced to the options that matter in an experiment; all other choices have their leading options.
    pub(super) fn reduced(&self, setup: &Setup, experiment: &Experiment) -> Setup {
        setup.reduced(|choice, place| self.0.contains(&(experiment.id, choice.name, place)))
    }
}
