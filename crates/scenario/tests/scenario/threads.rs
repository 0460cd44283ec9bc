//! The number of threads does not change any result of a built-in scenario.

use std::num::NonZeroUsize;

use setpoint_scenario::{Scenario, Source, builtin};
use setpoint_sim::{Decision, Monitor, Outcome, SimError, Spec, Threads, simulate};
use setpoint_units::{Time, TimeDelta};

struct On(usize);

impl Monitor for On {
    fn progress(&mut self, _now: Time, _events: u64) -> Decision {
        Decision::Continue
    }

    fn threads(&self) -> Threads {
        Threads::exactly(NonZeroUsize::new(self.0).unwrap())
    }
}

fn run(spec: &Spec, threads: usize) -> Result<Outcome, SimError> {
    simulate(spec, &mut On(threads))
}

/// The first part of each scenario, with about the same number of frames in each.
#[test]
fn built_in_scenarios_have_the_same_outcome_on_any_number_of_threads() {
    for builtin in builtin() {
        let scenario = Scenario::load(&Source::builtin(builtin.name).unwrap(), &[]).unwrap();
        let mut spec = scenario.prepare(1).unwrap().spec;
        let stations = spec.topology.stations().count() as u64;
        let most = TimeDelta::from_micros((8_000 / stations).clamp(5, 2_000));
        spec.duration = spec.duration.min(most);
        spec.sample_interval = spec.sample_interval.min(most / 4);
        spec.measure_from = spec.measure_from.min(Time::ZERO + most / 2);
        let one = run(&spec, 1).map_err(|error| error.to_string());
        for threads in [2, 3, 8] {
            let several = run(&spec, threads).map_err(|error| error.to_string());
            assert!(one == several, "{} on {threads} threads", builtin.name);
        }
    }
}
