//! Figures say what is true: about queues that are full, messages that never arrive, flows that wait, and variants that
//! are compared.

use std::num::{NonZeroU32, NonZeroUsize};

use setpoint_lab::results::{LinkView, RunRecord, Settling, Unsettled};
use setpoint_lab::run::run;
use setpoint_lab::scenario::{Override, Scenario, Source, Variant};
use setpoint_lab::sweep::{SweepOptions, SweepSummary, Unwatched, sweep};

fn record(source: &Source, overrides: &[&str]) -> RunRecord {
    let overrides: Vec<Override> = overrides.iter().map(|text| text.parse().unwrap()).collect();
    let prepared = Scenario::load(source, &overrides).unwrap().prepare(1).unwrap();
    run(&prepared, &mut setpoint_sim::Unwatched).unwrap()
}

fn swept(text: &str) -> (SweepSummary, String) {
    let scenario = Scenario::load(&Source::new("test.toml", text), &[]).unwrap();
    let variants: Vec<Variant> = scenario.variants().unwrap();
    let place = tempfile::tempdir().unwrap();
    let options =
        SweepOptions { folder: place.path(), seeds: NonZeroU32::MIN, threads: NonZeroUsize::new(1) };
    let summary = sweep(&variants, &options, &Unwatched).unwrap();
    (summary, std::fs::read_to_string(place.path().join("sweep.csv")).unwrap())
}

/// A set point of 104 kB in a buffer of 150 kB: the feedback is too weak to get the queue off its limit, and most frames
/// are lost.
#[test]
fn a_queue_at_its_limit_has_not_settled() {
    let source = Source::builtin("default").unwrap();
    let record =
        record(&source, &["duration=100ms", "measure_from=20ms", "at=[]", "control.qcn.cp.set_point=104kB"]);
    assert!(record.summary.total.loss_share > 0.7, "{}", record.summary.total.loss_share);
    let full = Settling::NotSettled(Unsettled::BufferFull);
    assert_eq!(record.summary.events_at[0].settling, full);
    assert_eq!(record.summary.queues[0].settling, Some(full));
}

#[test]
fn a_queue_at_its_set_point_has_settled() {
    let source = Source::builtin("default").unwrap();
    let record = record(&source, &["duration=300ms", "measure_from=100ms", "at=[]"]);
    let settled = record.summary.events_at[0].settling.seconds();
    assert!(settled.is_some_and(|time| time < 0.1), "{:?}", record.summary.events_at);
}

/// Two receivers behind one bridge; the link to one of them is slow, and that is where the longest queue is.
const SLOW_PORT: &str = r#"
    name = "slow-port"
    duration = "20 ms"
    [topology.star]
    stations = 4
    rate = "10 Gb/s"
    delay = "1 us"
    [control.qcn]
    [[flows]]
    from = "h1"
    to = "h3"
    [[flows]]
    from = "h2"
    to = "h4"
    [[at]]
    time = "0 s"
    port = "bridge->h3"
    rate = "1 Gb/s"
    [sweep]
    "at.1.port" = ["bridge->h3", "bridge->h4"]
"#;

#[test]
fn variants_are_compared_by_the_same_queue_and_its_port() {
    let (summary, csv) = swept(SLOW_PORT);
    let [watched] = &summary.watched[..] else { panic!("one scenario") };
    let queue = watched.queue.as_deref().unwrap();
    assert!(["bridge->h3/3", "bridge->h4/3"].contains(&queue), "{queue}");
    assert_eq!(watched.port.as_deref(), queue.strip_suffix("/3"));
    let means = summary.variants.iter().map(|variant| {
        assert_eq!(variant.runs[0].queue.as_deref(), Some(queue));
        variant.runs[0].figures["queue_mean_bytes"]
    });
    let means: Vec<f64> = means.collect();
    // In one of the variants its port is slow, in the other it is as fast as the sender.
    assert!(means.iter().any(|&mean| mean < 2e3) && means.iter().any(|&mean| mean > 10e3), "{means:?}");
    assert_eq!(csv.lines().skip(1).filter(|line| line.contains(queue)).count(), 2);
}

#[test]
fn variants_without_a_common_queue_are_compared_by_their_own() {
    let text = SLOW_PORT
        .replace("\"at.1.port\" = [\"bridge->h3\", \"bridge->h4\"]", "\"flows.1.to\" = [\"h3\", \"h4\"]")
        .replace("[[flows]]\n    from = \"h2\"\n    to = \"h4\"\n", "");
    let (summary, _) = swept(&text);
    assert_eq!((&summary.watched[0].queue, &summary.watched[0].port), (&None, &None));
    let queues: Vec<_> = summary.variants.iter().map(|variant| variant.runs[0].queue.as_deref()).collect();
    assert_eq!(queues, [Some("bridge->h3/3"), Some("bridge->h4/3")]);
}

/// Without flow control most of the messages lose frames; those that do not are quick.
const MESSAGES: &str = r#"
    name = "messages"
    duration = "20 ms"
    measure_from = "2 ms"
    flow_control = "pfc"
    control = "none"
    [topology.star]
    stations = 9
    rate = "10 Gb/s"
    delay = "1 us"
    [network]
    buffer = "5 kB"
    [[flows]]
    from = "h*"
    to = "h9"
    pattern = "incast"
    traffic = { poisson = { rate = "1.2 Gb/s", sizes = { fixed = { size = "200 kB" } } } }
    [sweep]
    flow_control = ["pfc", "none"]
"#;

#[test]
fn a_sweep_counts_messages_that_were_not_completed() {
    let (summary, csv) = swept(MESSAGES);
    let [lossless, lossy] = &summary.variants[..] else { panic!("two variants") };
    let figure = |name: &str| (lossless.figures[name].mean, lossy.figures[name].mean);
    assert_eq!(figure("messages_damaged").0, 0.0);
    assert!(figure("messages_damaged").1 > figure("messages_completed").1, "most lose a frame");
    let offered = |place: usize| {
        let figures = &summary.variants[place].figures;
        ["completed", "unfinished", "damaged"].map(|fate| figures[&format!("messages_{fate}")].mean)
    };
    assert!((offered(0).iter().sum::<f64>() - offered(1).iter().sum::<f64>()).abs() < 1.0);
    assert!(lossy.figures["fct_p50_s"].is_lower_bound && lossy.figures["fct_mean_s"].is_lower_bound);
    assert!(!lossless.figures["fct_p50_s"].is_lower_bound);
    let table: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let column = table[0].iter().position(|name| *name == "mean_fct_p50_s_is_lower_bound").unwrap();
    assert_eq!((table[1][column], table[2][column]), ("false", "true"));
}

#[test]
fn a_message_offered_before_measurement_has_a_time() {
    let text = MESSAGES.replace(
        "{ poisson = { rate = \"1.2 Gb/s\", sizes = { fixed = { size = \"200 kB\" } } } }",
        "{ message = { size = \"50 kB\" } }",
    );
    let summary = record(&Source::new("test.toml", &text), &[]).summary;
    let messages = summary.messages.unwrap();
    assert_eq!((messages.completed, messages.classes[0].count()), (8, 0));
    let judged = messages.judged().unwrap();
    // 400 kB at 10 Gb/s take 320 us, and a little more with preambles and gaps.
    let longest = judged.fct_at(1.0).unwrap();
    assert!((320e-6..400e-6).contains(&longest.value) && !longest.is_lower_bound, "{longest:?}");
}

#[test]
fn no_flow_is_a_victim_for_longer_than_the_run() {
    let summary = record(&Source::builtin("pfc-deadlock").unwrap(), &[]).summary;
    assert!(summary.deadlock.is_some());
    let victims: Vec<f64> = summary.flows.iter().map(|flow| flow.victim_s / summary.duration_s).collect();
    assert!(victims.iter().all(|share| (0.0..=1.0).contains(share)), "{victims:?}");
    assert!(victims.iter().any(|&share| share > 0.9), "{victims:?}");
}

#[test]
fn links_that_are_not_measured_have_no_utilisation() {
    let view = record(&Source::builtin("rack-fabric").unwrap(), &[]).topology;
    let at_spine = |link: &LinkView| [link.first, link.second].iter().any(|&node| view.nodes[node].spine);
    assert!(view.links.iter().any(at_spine));
    for link in &view.links {
        assert_eq!(link.utilisation_share.is_none(), at_spine(link), "{link:?}");
    }
}
