//! Figures are correct for full queues, incomplete messages, delayed flows, entries, queries and compared variants.

use std::num::{NonZeroU32, NonZeroUsize};

use setpoint_lab::run::run;
use setpoint_lab::sweep::{SweepOptions, SweepSummary, Unwatched, sweep};
use setpoint_lab::table::of_sweep;
use setpoint_record::catalogue::{FCT_LARGE_P99, FCT_SHORT_MEAN, Metric, QUERY_COMPLETION};
use setpoint_record::results::{LinkView, MessageSize, RunRecord, Settling, Unsettled};
use setpoint_record::table::Values;
use setpoint_scenario::{Override, Scenario, Source, Variant};
use sha2::{Digest, Sha256};

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

/// A set point of 104 kB in a buffer of 150 kB: the feedback is too weak to move the queue away from its limit, and
/// most frames are lost.
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

/// Two receivers behind one bridge; the link to one of them is slow, and the longest queue is in front of it.
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
fn variants_are_compared_on_the_same_queue_and_its_port() {
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
    // In one variant, the queue's port is slow; in the other it is as fast as the sender.
    assert!(means.iter().any(|&mean| mean < 2e3) && means.iter().any(|&mean| mean > 10e3), "{means:?}");
    assert_eq!(csv.lines().skip(1).filter(|line| line.contains(queue)).count(), 2);
}

#[test]
fn variants_without_a_common_queue_are_compared_on_their_own_queues() {
    let text = SLOW_PORT
        .replace("\"at.1.port\" = [\"bridge->h3\", \"bridge->h4\"]", "\"flows.1.to\" = [\"h3\", \"h4\"]")
        .replace("[[flows]]\n    from = \"h2\"\n    to = \"h4\"\n", "");
    let (summary, _) = swept(&text);
    assert_eq!((&summary.watched[0].queue, &summary.watched[0].port), (&None, &None));
    let queues: Vec<_> = summary.variants.iter().map(|variant| variant.runs[0].queue.as_deref()).collect();
    assert_eq!(queues, [Some("bridge->h3/3"), Some("bridge->h4/3")]);
}

/// Without flow control most messages lose frames; the others are quick.
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
    // All messages are 200 kB long, so each variant has one range of sizes.
    let tables = of_sweep(&summary);
    let slowdowns = tables.iter().find(|table| table.name == "slowdown_by_size").unwrap();
    let column = |name: &str| &slowdowns.columns.iter().find(|column| column.name == name).unwrap().values;
    assert_eq!(*column("from_bytes"), Values::Counts(vec![Some(200_000); 2]));
    assert_eq!(*column("mean_slowdown_p50_is_lower_bound"), Values::Flags(vec![Some(false), Some(true)]));
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

/// Eight stations send one message each to a ninth at the same time; two more stations are backlogged.
const QUERY: &str = r#"
    name = "query"
    duration = "4 ms"
    flow_control = "pfc"
    control = "none"
    [topology.star]
    stations = 12
    rate = "10 Gb/s"
    delay = "1 us"
    [[flows]]
    name = "incast"
    from = ["h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8"]
    to = "h9"
    start = "1 ms"
    traffic = { message = { size = "50 kB" } }
    [[flows]]
    from = ["h10", "h11"]
    to = "h12"
"#;

#[test]
fn a_query_lasts_until_its_last_message_is_complete() {
    let record = record(&Source::new("test.toml", QUERY), &[]);
    let [incast, backlogged] = &record.summary.entries[..] else { panic!("two entries") };
    assert_eq!((incast.name.as_str(), backlogged.name.as_str()), ("incast", "flows.2"));
    assert_eq!((incast.flows, backlogged.flows), (8, 2));
    let last = record.messages.iter().filter_map(|message| message.completed_s).fold(0.0, f64::max);
    let completion = incast.query_completion().unwrap();
    assert!((completion.value - (last - 1e-3)).abs() < 1e-12 && !completion.is_lower_bound, "{completion:?}");
    // 400 kB at 10 Gb/s take 320 us, and a little more with preambles and gaps.
    assert!((320e-6..400e-6).contains(&completion.value), "{completion:?}");
    assert_eq!(QUERY_COMPLETION.of_summary(&record.summary), Some(completion));
    assert_eq!((backlogged.query_completion(), &backlogged.messages), (None, &None));
}

#[test]
fn a_query_that_is_not_completed_has_a_lower_bound() {
    let summary = record(&Source::new("test.toml", QUERY), &["duration=1200us"]).summary;
    let completion = summary.entries[0].query_completion().unwrap();
    assert!((completion.value - 200e-6).abs() < 1e-12 && completion.is_lower_bound, "{completion:?}");
    let staggered = QUERY.replace("start = \"1 ms\"", "stagger = \"1 us\"");
    let summary = record(&Source::new("test.toml", &staggered), &[]).summary;
    assert_eq!(summary.entries[0].query_completion(), None, "the messages do not start together");
}

#[test]
fn an_entry_combines_its_flows() {
    let summary = record(&Source::new("test.toml", QUERY), &["measure_from=2ms"]).summary;
    let (entry, flows) = (&summary.entries[1], &summary.flows[8..]);
    let rates: Vec<f64> = flows.iter().map(|flow| flow.rate_bps).collect();
    assert!((entry.rate_sum_bps - rates.iter().sum::<f64>()).abs() < 1.0);
    assert!((entry.rate_mean_bps * 2.0 - entry.rate_sum_bps).abs() < 1.0);
    assert_eq!((entry.rate_min_bps, entry.rate_max_bps), (rates[0].min(rates[1]), rates[0].max(rates[1])));
    // These are the only flows that compete.
    assert_eq!(entry.jain_index, summary.total.jain_index);
    assert_eq!(entry.sent_frames, flows[0].sent_frames + flows[1].sent_frames);
    let incast = summary.entries[0].messages.as_ref().unwrap();
    assert_eq!(incast.completed, 8, "they were offered before the measurement interval");
}

/// Messages on separate paths, so that each takes its ideal time.
#[test]
fn messages_are_short_medium_or_large() {
    let flow = |from: usize, size: &str| {
        format!(
            "[[flows]]\nfrom = \"h{from}\"\nto = \"h{}\"\ntraffic = {{ message = {{ size = \"{size}\" }} }}\n",
            from + 4
        )
    };
    let head = QUERY.split_once("[[flows]]").unwrap().0.replace("4 ms", "40 ms");
    let sizes = ["99999 B", "100 kB", "9999999 B", "10 MB"];
    let text =
        head + &sizes.iter().enumerate().map(|(place, size)| flow(place + 1, size)).collect::<String>();
    let summary = record(&Source::new("test.toml", &text), &[]).summary;
    let counts: Vec<_> =
        summary.size_classes.iter().map(|class| (class.size, class.messages.completed)).collect();
    assert_eq!(counts, [(MessageSize::Short, 1), (MessageSize::Medium, 2), (MessageSize::Large, 1)]);
    let time = |metric: &Metric| metric.of_summary(&summary).unwrap().value;
    // 100 kB at 10 Gb/s take 80 us, 10 MB take 8 ms.
    assert!((80e-6..90e-6).contains(&time(&FCT_SHORT_MEAN)), "{}", time(&FCT_SHORT_MEAN));
    assert!((8e-3..8.5e-3).contains(&time(&FCT_LARGE_P99)), "{}", time(&FCT_LARGE_P99));
    assert_eq!(QUERY_COMPLETION.of_summary(&summary), None, "an entry with one flow is not a query");
}

#[test]
fn the_digest_covers_all_but_entries_sizes_counters_and_marks() {
    let RunRecord { manifest, mut summary, series, messages, .. } =
        record(&Source::builtin("league-incast").unwrap(), &["duration=5ms", "measure_from=0s"]);
    assert!(!summary.entries.is_empty() && !summary.size_classes.is_empty());
    assert!(!summary.slowdown_by_size.is_empty() && !summary.hpcc_slowdowns.is_empty());
    (summary.entries, summary.size_classes) = (Vec::new(), Vec::new());
    (summary.slowdown_by_size, summary.hpcc_slowdowns) = (Vec::new(), Vec::new());
    assert!(summary.flows.iter().any(|flow| !flow.counters.is_empty()));
    summary.flows.iter_mut().for_each(|flow| flow.counters.clear());
    let line = |value: serde_json::Result<String>| value.unwrap() + "\n";
    let mut curves = serde_json::to_value(&series).unwrap();
    for queue in curves["queues"].as_array_mut().unwrap() {
        queue.as_object_mut().unwrap().remove("marked_frames").unwrap();
    }
    let text = line(serde_json::to_string(&summary))
        + &line(serde_json::to_string(&curves))
        + &line(serde_json::to_string(&messages));
    let hash: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(manifest.digest, hash);
}
