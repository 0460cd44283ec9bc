//! The status line that is printed every second for a running bridge or station.

use setpoint_live::bridge::{Marks, Snapshot};
use setpoint_live::station::{StationCounters, StationFlow};
use setpoint_units::{Rate, Time, TimeDelta};

use crate::terminal::{Facts, Screen, Unit, quantity};

/// The state of a bridge.
pub(super) fn bridge(snapshot: &Snapshot) -> String {
    let rates: Vec<String> = snapshot.rates.iter().map(|rate| of_rate(*rate)).collect();
    let feedback = match snapshot.marks {
        None => format!("{} notifications", snapshot.notifications),
        Some(Marks { marked, cnps }) => format!("{marked} marks, {cnps} CNPs"),
    };
    format!(
        "{:>7}  queue {:>8}  rates {}  {feedback}, {} pauses, {} lost",
        time(snapshot.now),
        quantity(Unit::Bytes, snapshot.queue.get() as f64),
        rates.join(", "),
        snapshot.pauses,
        snapshot.lost
    )
}

/// The state of a station: for each flow, its rate, the limit, the limiter's phase and the number of notifications.
pub(super) fn station(now: Time, flows: &[StationFlow], before: &[u64], span: TimeDelta) -> String {
    let flow = |(index, flow): (usize, &StationFlow)| {
        let sent = flow.sent - before.get(index).copied().unwrap_or(0);
        let rate = of_rate(Rate::from_bytes_over(setpoint_units::Bytes::new(sent), span));
        let limit = match (flow.limit, flow.phase) {
            (None, _) => "no limit".to_owned(),
            (Some(limit), None) => format!("limit {}", of_rate(Some(limit))),
            (Some(limit), Some(phase)) => {
                format!("limit {}, {}", of_rate(Some(limit)), phase.replace('-', " "))
            }
        };
        format!("{rate} ({limit}, {} notifications)", flow.notifications)
    };
    let flows: Vec<String> = flows.iter().enumerate().map(flow).collect();
    format!("{:>7}  flows {}", time(now), if flows.is_empty() { "none".to_owned() } else { flows.join("; ") })
}

/// The final counts of a station's frames and notifications.
pub(super) fn station_end(counters: &StationCounters) -> String {
    let mut facts = Facts::new();
    let StationCounters { received, delivered, refused, obeyed, marked, cnps, .. } = counters;
    facts.add("from the link", [format!("{received} frames"), format!("{delivered} for programs")]);
    facts.add("notifications", [format!("{obeyed} obeyed"), format!("{} ignored", ignored(counters))]);
    if *marked > 0 {
        facts.add("marked frames", [marked.to_string(), format!("{cnps} CNPs sent to their sources")]);
    }
    facts.add(
        "dropped",
        [format!("{refused} frames from programs, because too many frames of the flow were already waiting")],
    );
    facts.render(Screen::of_stdout())
}

/// Number of notifications that the station did not act on.
fn ignored(counters: &StationCounters) -> u64 {
    counters.unknown_flow + counters.too_many + counters.unknown_point + counters.no_limiter
}

fn time(now: Time) -> String {
    quantity(Unit::Seconds, now.as_picos() as f64 / 1e12)
}

fn of_rate(rate: Option<Rate>) -> String {
    quantity(Unit::BitsPerSecond, rate.map_or(0.0, |rate| rate.bits_per_second() as f64))
}
