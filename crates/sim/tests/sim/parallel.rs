//! The number of threads does not change any result.

use crate::support::draw::{Draw, Scale, Ways};
use crate::support::siege::besieged;
use proptest::prelude::*;
use setpoint_sim::{Decision, Monitor, Spec, Threads, Unwatched, simulate};
use setpoint_units::Time;
use std::num::NonZeroUsize;

struct On(usize);

impl Monitor for On {
    fn progress(&mut self, _: Time, _: u64) -> Decision {
        Decision::Continue
    }

    fn threads(&self) -> Threads {
        Threads::exactly(NonZeroUsize::new(self.0).unwrap())
    }
}

/// Runs a spec on several numbers of threads.
fn same_on_any_number(spec: &Spec) {
    let one = simulate(spec, &mut Unwatched);
    for threads in [2, 3, 8] {
        let several = simulate(spec, &mut On(threads));
        match (&one, &several) {
            (Ok(one), Ok(several)) => assert!(one == several, "{threads} threads"),
            (Err(one), Err(several)) => assert_eq!(one.to_string(), several.to_string(), "{threads} threads"),
            (one, several) => panic!("{threads} threads: {:?}, {:?}", one.is_ok(), several.is_ok()),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_spec(seed: u64) {
        same_on_any_number(&Draw::new(seed, Scale::Any).plain(seed, Ways::Several));
    }

    #[test]
    fn any_spec_under_siege(seed: u64) {
        same_on_any_number(&besieged(seed));
    }
}
