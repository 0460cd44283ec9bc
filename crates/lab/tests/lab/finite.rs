//! Stored results can be read whatever the simulator measures: they contain neither NaN nor infinity.

use crate::support::Synthetic;
use proptest::prelude::*;
use setpoint_lab::store;
use setpoint_record::metrics::{Context, Event, Measured, measure};
use setpoint_record::results::{RunRecord, digest};
use setpoint_sim::{Outcome, Spec};
use setpoint_units::{Bytes, Time, TimeDelta};

/// Ways in which an outcome can be extreme without being wrong.
#[derive(Clone, Copy, Debug)]
enum Extreme {
    None,
    NothingMeasured,
    MeasuredFromBeyondTheEnd,
    NothingSent,
    NoQueues,
    NoPorts,
    UndefinedStatistics,
    CutShort,
    ZeroIdealTime,
}

fn apply(extreme: Extreme, outcome: &mut Outcome) {
    match extreme {
        Extreme::None => {}
        Extreme::NothingMeasured => outcome.measure_from = outcome.end,
        Extreme::MeasuredFromBeyondTheEnd => outcome.measure_from = Time::MAX,
        Extreme::NothingSent => outcome.flows.iter_mut().for_each(|flow| *flow = Default::default()),
        Extreme::NoQueues => outcome.queues.clear(),
        Extreme::NoPorts => outcome.ports.clear(),
        Extreme::UndefinedStatistics => {
            for queue in &mut outcome.queues {
                (queue.length.mean, queue.length.deviation, queue.length.empty) =
                    (f64::NAN, f64::INFINITY, f64::NAN);
                queue.length.dwell.clear();
            }
        }
        Extreme::CutShort => outcome.end = outcome.end - Synthetic::INTERVAL / 3,
        Extreme::ZeroIdealTime => {
            outcome.messages.iter_mut().for_each(|message| message.ideal = TimeDelta::ZERO);
        }
    }
}

fn extremes() -> impl Strategy<Value = Extreme> {
    prop::sample::select(vec![
        Extreme::None,
        Extreme::NothingMeasured,
        Extreme::MeasuredFromBeyondTheEnd,
        Extreme::NothingSent,
        Extreme::NoQueues,
        Extreme::NoPorts,
        Extreme::UndefinedStatistics,
        Extreme::CutShort,
        Extreme::ZeroIdealTime,
    ])
}

fn record(run: &Synthetic, spec: &Spec, outcome: Outcome, events: &[Event]) -> RunRecord {
    let context =
        Context { spec, set_point: Some(Bytes::new(26_000)), events, groups: &[], entries: &[], jobs: &[] };
    let Measured { summary, series, topology, messages } = measure(&context, outcome);
    let mut manifest = run.record().manifest;
    manifest.digest = digest(&summary, &series, &messages);
    RunRecord { manifest, summary, series, topology, messages, pauses: None }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn stored_results_can_be_read(
        senders in 1u32..5,
        samples in 1usize..60,
        messages in 0u32..4,
        seed in any::<u64>(),
        extreme in extremes(),
        times in prop::collection::vec(0u64..80_000, 0..5),
    ) {
        let run = Synthetic { senders, samples, messages, seed };
        let (spec, mut outcome) = (run.spec(), run.outcome());
        apply(extreme, &mut outcome);
        let event = |micros| Event { at: Time::ZERO + TimeDelta::from_micros(micros), label: "something".to_owned() };
        let events: Vec<Event> = times.into_iter().map(event).collect();
        let record = record(&run, &spec, outcome, &events);

        let total = &record.summary.total;
        for index in [total.jain_index, total.jain_index_windowed_mean, total.jain_index_windowed_min] {
            prop_assert!(index.is_none_or(|index| (0.0..=1.0).contains(&index)), "{index:?}");
        }
        prop_assert!(record.summary.events_at.iter().all(|event| event.settling.seconds().is_none_or(|time| time >= 0.0)));
        let place = tempfile::tempdir().unwrap();
        store::write(&record, &place.path().join("run")).unwrap();
        prop_assert_eq!(store::read(&place.path().join("run")).unwrap(), record);
    }
}
