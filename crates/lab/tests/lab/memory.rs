//! Memory is estimated before a run, and concurrent runs share the limit.

use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::atomic::{AtomicUsize, Ordering};

use setpoint_lab::memory::Estimate;
use setpoint_lab::run::run;
use setpoint_lab::sweep::{RunId, SweepMonitor, SweepOptions, sweep};
use setpoint_scenario::{Prepared, Scenario, Source, Variant, builtin};
use setpoint_sim::{Decision, Monitor};
use setpoint_units::{Bytes, Time};

fn scenario(text: &str) -> Scenario {
    Scenario::load(&Source::new("test.toml", text), &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

fn prepared(text: &str) -> Prepared {
    scenario(text).prepare(1).unwrap()
}

const DUMBBELL: &str = r#"
    duration = "20 ms"
    sample_interval = "10 us"

    [topology.dumbbell]
    senders = 4
    rate = "10 Gb/s"
    rtt = "50 us"
"#;

/// Every built-in scenario fits into the memory of a small machine.
#[test]
fn built_in_scenarios_take_less_than_a_gigabyte() {
    for builtin in builtin() {
        let scenario = Scenario::load(&Source::builtin(builtin.name).unwrap(), &[]).unwrap();
        let estimate = Estimate::of(&scenario.prepare(1).unwrap().spec).unwrap();
        assert!(estimate.total() < Bytes::new(1_000_000_000), "{}: {}", builtin.name, estimate.total());
        assert!(estimate.parts().is_sorted_by(|one, next| one.bytes >= next.bytes));
    }
}

/// The message names the largest part and how to make it smaller.
#[test]
fn what_takes_most_is_named() {
    let cases = [
        ("samples", DUMBBELL.replace("20 ms", "20 s")),
        (
            "long delays",
            DUMBBELL
                .replace("rtt = \"50 us\"", "rtt = \"1 s\"")
                .replace("20 ms", "2 s")
                .replace("10 us", "1 ms"),
        ),
        (
            "input buffers",
            DUMBBELL.replace("20 ms", "1 s").replace("10 us", "1 ms")
                + r#"
    [bridge.cioq]
    input_buffer = "1 GB"
    [control.qcn]
    preset = "10G"
    placement = "inputs"
    marking = "random-occupancy"
    "#,
        ),
        ("messages", {
            let flows = "\n[[flows]]\nfrom = \"s{1..4}\"\nto = \"r1\"\n[flows.traffic.poisson]\nrate = \"2 Gb/s\"\nsizes.fixed.size = \"64 B\"\n";
            DUMBBELL.replace("20 ms", "1 s").replace("10 us", "1 ms") + flows
        }),
    ];
    let refusals = cases.map(|(name, text)| {
        let refusal = Estimate::of(&prepared(&text).spec).unwrap().refusal(Bytes::new(30_000_000));
        format!("{name}: {}", refusal.expect("more than 30 MB"))
    });
    insta::assert_snapshot!(refusals.join("\n"));
    let small = Estimate::of(&prepared(DUMBBELL).spec).unwrap();
    assert_eq!(small.refusal(small.total()), None);
    assert!(small.refusal(Bytes::new(small.total().get() - 1)).is_some());
}

struct Within(Bytes);

impl Monitor for Within {
    fn progress(&mut self, _now: Time, _events: u64) -> Decision {
        Decision::Continue
    }

    fn memory_limit(&self) -> Option<Bytes> {
        Some(self.0)
    }
}

#[test]
fn a_run_that_grows_beyond_its_limit_says_when_and_why() {
    let error = run(&prepared(DUMBBELL), &mut Within(Bytes::new(300_000))).unwrap_err().to_string();
    assert!(error.contains("for series") && error.contains("above its limit of 300 kB"), "{error}");
}

/// Counts concurrent runs.
#[derive(Default)]
struct Watch {
    limit: Option<Bytes>,
    running: AtomicUsize,
    most: AtomicUsize,
    waited: AtomicUsize,
}

impl SweepMonitor for Watch {
    fn started(&self, _run: &RunId) {
        let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(running, Ordering::SeqCst);
    }

    fn progress(&self, _run: &RunId, fraction: f64) -> Decision {
        if fraction >= 1.0 {
            self.running.fetch_sub(1, Ordering::SeqCst);
        }
        Decision::Continue
    }

    fn memory_limit(&self) -> Option<Bytes> {
        self.limit
    }

    fn waits_for_memory(&self, _needed: Bytes) {
        self.waited.fetch_add(1, Ordering::SeqCst);
    }
}

fn sweep_within(limit: Option<Bytes>) -> (Watch, Vec<Option<String>>) {
    let place = tempfile::tempdir().unwrap();
    let variant = Variant { index: 0, assignments: Vec::new(), scenario: scenario(DUMBBELL) };
    let seeds = NonZeroU32::new(6).unwrap();
    let options = SweepOptions { folder: place.path(), seeds, threads: NonZeroUsize::new(3) };
    let watch = Watch { limit, ..Watch::default() };
    let summary = sweep(&[variant], &options, &watch).unwrap();
    let error = |run: &setpoint_lab::sweep::RunSummary| run.error.clone();
    (watch, summary.variants[0].runs.iter().map(error).collect())
}

#[test]
fn runs_wait_for_each_other_rather_than_exceed_the_limit() {
    let one = Estimate::of(&prepared(DUMBBELL).spec).unwrap().total().get();
    let (watch, errors) = sweep_within(Some(Bytes::new(one + one / 2)));
    assert_eq!(watch.most.load(Ordering::SeqCst), 1);
    assert!(watch.waited.load(Ordering::SeqCst) > 0 && errors.iter().all(Option::is_none));
    let (watch, errors) = sweep_within(Some(Bytes::new(100 * one)));
    assert_eq!(watch.waited.load(Ordering::SeqCst), 0);
    assert!(errors.iter().all(Option::is_none));
}

#[test]
fn a_run_that_is_too_large_by_itself_fails_and_says_why() {
    let (_, errors) = sweep_within(Some(Bytes::new(1_000_000)));
    assert_eq!(errors.len(), 6);
    assert!(errors.iter().flatten().all(|error| error.contains("`--memory`")), "{errors:?}");
}
