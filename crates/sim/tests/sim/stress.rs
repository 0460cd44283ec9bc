//! Every valid spec runs to its end with consistent results.

use crate::support::adds_up::adds_up;
use crate::support::draw::{Draw, Scale, Ways};
use proptest::prelude::*;
use setpoint_sim::{Unwatched, simulate};

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_spec_runs_and_adds_up(seed: u64) {
        let spec = Draw::new(seed, Scale::Any).plain(seed, Ways::Several);
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        adds_up(&spec, &outcome);
    }
}
