//! A search for a network that loses a frame despite automatic headroom. The random networks are designed to
//! come as close to a loss as possible; the largest fraction of headroom used on any link shows how close they
//! came.
//!
//! `LOSSLESS_NETWORKS` sets the number of networks and `LOSSLESS_FIRST` the first seed; CONTRIBUTING.md gives
//! the command.

use crate::support::siege::{besieged, besieged_failing, besieged_shared, besieged_shared_failing};
use setpoint_control::NotificationPointParams;
use setpoint_sim::{FlowOutcome, FlowSpec, Outcome, SimError, Spec, SpecError, Unwatched, simulate};

/// The largest fraction of its headroom that any link used, for several kinds of links.
#[derive(Debug, Default)]
struct Nearest {
    /// The largest fraction among links whose pauses never lapse, and its seed.
    steady: (f64, u64),
    /// The largest fraction among links whose pauses can lapse, and its seed.
    lapsing: (f64, u64),
    /// The numbers of networks with a pause, without a pause, and for which no buffer is large enough.
    paused: u64,
    quiet: u64,
    refused: u64,
}

impl Nearest {
    fn see(&mut self, seed: u64, outcome: &Outcome) {
        let paused = outcome.ports.iter().any(|port| port.pauses > 0);
        *(if paused { &mut self.paused } else { &mut self.quiet }) += 1;
        for link in &outcome.links {
            let share = link.used.get() as f64 / link.budget.needed.total().get() as f64;
            let nearest = if link.budget.renewal.lapses() { &mut self.lapsing } else { &mut self.steady };
            if share > nearest.0 {
                *nearest = (share, seed);
            }
        }
    }
}

/// The largest share of the headroom pool that a bridge with a shared buffer used, and its seed.
#[derive(Debug, Default)]
struct FullestPool {
    share: (f64, u64),
    /// The number of networks in which headroom was used, and in which receivers replied.
    used: u64,
    replied: u64,
}

impl FullestPool {
    fn see(&mut self, seed: u64, spec: &Spec, outcome: &Outcome) {
        let mut used = false;
        for buffer in &outcome.shared_buffers {
            let (peak, pool) = (buffer.headroom_peak.get(), buffer.budget.headroom_needed.get());
            used |= peak > 0;
            if pool > 0 && peak as f64 / pool as f64 > self.share.0 {
                self.share = (peak as f64 / pool as f64, seed);
            }
        }
        self.used += u64::from(used);
        self.replied += u64::from(spec.control.notification_point != NotificationPointParams::None);
    }
}

/// The numbers of networks in which links failed, and in which they lost frames.
#[derive(Debug, Default)]
struct Failures {
    failing: u64,
    lossy: u64,
}

impl Failures {
    fn see(&mut self, outcome: &Outcome) {
        let losses = outcome.failed_links.iter().map(|failed| failed.forward.with(&failed.backward));
        let is_lossy = losses.map(|lost| lost.in_flight_frames + lost.sent_frames).any(|frames| frames > 0);
        self.failing += u64::from(!outcome.failed_links.is_empty());
        self.lossy += u64::from(is_lossy);
    }
}

/// Frames of protected priorities that a full buffer dropped.
fn dropped(spec: &Spec, outcome: &Outcome) -> u64 {
    let protected = spec.flow_control.protected();
    let of = |(outcome, flow): (&FlowOutcome, &FlowSpec)| {
        if protected.contains(flow.priority) { outcome.dropped_frames } else { 0 }
    };
    outcome.flows.iter().zip(&spec.flows).map(of).sum()
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
}

#[test]
fn automatic_headroom_loses_nothing() {
    let (first, count) = (number("LOSSLESS_FIRST", 0), number("LOSSLESS_NETWORKS", 600));
    let mut nearest = Nearest::default();
    for seed in first..first + count {
        let spec = besieged(seed);
        match simulate(&spec, &mut Unwatched) {
            Ok(outcome) => {
                assert_eq!(dropped(&spec, &outcome), 0, "seed {seed}");
                nearest.see(seed, &outcome);
            }
            // The buffer would need more than the maximum number of units.
            Err(SimError::Spec(SpecError::Bridges(_))) => nearest.refused += 1,
            Err(error) => panic!("seed {seed}: {error}"),
        }
    }
    println!("{count} networks from seed {first}: {nearest:?}");
    if count >= 600 {
        assert!(nearest.paused > count / 2, "{nearest:?}");
        assert!(nearest.steady.0 > 0.9 && nearest.lapsing.0 > 0.8, "{nearest:?}");
    }
}

/// Dynamic thresholds, with the smallest buffers that pass validation, and with receivers that reply.
#[test]
fn automatic_headroom_loses_nothing_in_shared_buffers() {
    let (first, count) = (number("LOSSLESS_FIRST", 0), number("LOSSLESS_NETWORKS", 600));
    let (mut nearest, mut pool, mut runs) = (Nearest::default(), FullestPool::default(), 0);
    for seed in first..first + count {
        let Some(spec) = besieged_shared(seed) else { continue };
        runs += 1;
        let outcome = simulate(&spec, &mut Unwatched).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(dropped(&spec, &outcome), 0, "seed {seed}");
        nearest.see(seed, &outcome);
        pool.see(seed, &spec, &outcome);
    }
    println!("{runs} networks from seed {first}: {nearest:?}, {pool:?}");
    if count >= 600 {
        assert!(nearest.paused > runs / 2 && pool.used > runs / 4 && pool.replied > runs / 3, "{pool:?}");
        assert!(nearest.steady.0 > 0.9, "{nearest:?}");
    }
}

/// The networks of both searches with links that fail and recover. Frames lost on a failed link are not dropped frames.
#[test]
fn automatic_headroom_loses_nothing_when_links_fail() {
    let (first, count) = (number("LOSSLESS_FIRST", 0), number("LOSSLESS_NETWORKS", 600));
    let (mut nearest, mut pool, mut failures) =
        (Nearest::default(), FullestPool::default(), Failures::default());
    for seed in first..first + count {
        for spec in [Some(besieged_failing(seed)), besieged_shared_failing(seed)].into_iter().flatten() {
            let outcome = match simulate(&spec, &mut Unwatched) {
                Ok(outcome) => outcome,
                Err(SimError::Spec(SpecError::Bridges(_))) => {
                    nearest.refused += 1;
                    continue;
                }
                Err(error) => panic!("seed {seed}: {error}"),
            };
            assert_eq!(dropped(&spec, &outcome), 0, "seed {seed}");
            nearest.see(seed, &outcome);
            pool.see(seed, &spec, &outcome);
            failures.see(&outcome);
        }
    }
    println!("{count} networks from seed {first}, twice: {nearest:?}, {pool:?}, {failures:?}");
    if count >= 600 {
        assert!(
            nearest.paused > count && pool.used > count / 8 && failures.lossy > count / 2,
            "{failures:?}"
        );
        assert!(nearest.steady.0 > 0.9, "{nearest:?}");
    }
}
