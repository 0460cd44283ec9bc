//! Requirement (b): the bandwidth drops to a twentieth and recovers.

use super::{PARAMETERS, PORT, QUEUE, ROUND_TRIP, TARGET, dropped, limit_sum, queue_panel};
use crate::prelude::*;

const SCENARIO: &str = scenario!("allerton": "responsive", "with-qcn");

/// The link rate, and the link rate after the drop.
const RATE: f64 = 10e9;
const LOW: f64 = 0.5e9;
/// The phases after the drop and after the recovery, and their second halves.
const FALLEN: Window = change(1).until(change(2));
const RETURNED: Window = change(2).until(END);
const LOW_SETTLED: Window = change(1).plus(0.25).until(change(2));
const BACK_SETTLED: Window = change(2).plus(0.25).until(END);
/// Rates count as adapted once their moving average over this number of samples is within this relative distance of
/// the link rate.
const RUNNING: usize = 10;
const NEAR: f64 = 0.1;
/// "Tens of milliseconds" means at most 100 ms.
const TENS: Rule = Rule::AtMost(0.1);

const CASES: [(&str, &str); 5] = [
    ("ten", "Ten sources"),
    ("one", "One source, 20 Gb/s port"),
    ("two", "Two sources"),
    ("fifty", "Fifty sources"),
    ("far", "Ten sources, 500 us"),
];

pub(super) fn experiment() -> Experiment {
    let [ten, one, two, fifty, far] = CASES.map(|(name, label)| Case::new(name, label, SCENARIO));
    Experiment::new("allerton/responsive", "From 10 to 0.5 Gb/s and back")
        .setup(
            "Ten backlogged sources share a 10 Gb/s link with a round-trip time of 50 us. At 0.5 s the link rate drops \
            to 0.5 Gb/s, and at 1 s it returns to 10 Gb/s. For comparison, we also run the experiment with one source \
            (with a 20 Gb/s port), with two and fifty sources, and with a round-trip time of 500 us.",
        )
        .paper_says(
            "The bandwidth of a priority may fall from 10 Gb/s to 0.5 Gb/s and rise again; rates must adapt rapidly. \
            This is a goal; the paper shows no such run.",
        )
        .assumptions([
            PARAMETERS,
            ROUND_TRIP,
            "We read “rapidly” as within tens of milliseconds and without a collapse: the link is used, and the queue \
            is neither empty nor full for long.",
            "The paper does not give the number of sources or the round-trip time; we use ten sources and 50 us. There \
            is no PAUSE, so frames may be dropped after the link rate falls, until the sources have been notified.",
            "Rates count as adapted once their running mean over 10 ms is within a tenth of the link rate and stays \
            there until the next change. After the drop we use the sum of the sources’ rate limits, since the link \
            then limits the delivery rate. After the recovery we use the delivery rate.",
        ])
        .cases([
            ten,
            one.set_all(["topology.dumbbell.senders=1", "topology.dumbbell.access_rate=\"20 Gb/s\""]),
            two.set("topology.dumbbell.senders=2"),
            fifty.set("topology.dumbbell.senders=50"),
            far.set("topology.dumbbell.rtt=\"500 us\""),
        ])
        .quick(0.5)
        .seeds(5)
        .panels(panels)
        .claims(claims())
}

fn claims() -> [Claim; 6] {
    [
        Claim::new(OURS, "rates-fall", "After the drop the sources’ rates adapt within tens of milliseconds.")
            .measure(Unit::Seconds, TENS, |seed| followed_fall(seed.run("ten")))
            .read_as("“Tens of milliseconds” means less than 100 ms until the sum of rate limits is within a tenth of \
                0.5 Gb/s."),
        Claim::new(OURS, "rates-return", "After the recovery the rates adapt within tens of milliseconds.")
            .measure(Unit::Seconds, TENS, |seed| followed_return(seed.run("ten")))
            .read_as("“Tens of milliseconds” means less than 100 ms until the delivery rate is within a tenth of 10 \
                Gb/s."),
        Claim::new(OURS, "no-starvation", "At 0.5 Gb/s there is no collapse: the link is used.")
            .measure(Unit::Share, Rule::AtLeast(0.95), |seed| seed.run("ten").utilisation(PORT, LOW_SETTLED))
            .read_as("Busy for at least 95 % of the second half of the phase."),
        Claim::new(OURS, "no-standing-queue", "At 0.5 Gb/s the queue does not stay full.")
            .measure(Unit::Bytes, Rule::AtMost(2.0 * TARGET), |seed| {
                seed.run("ten").mean_queue(QUEUE, LOW_SETTLED)
            })
            .read_as("Its mean in the second half of the phase; at most twice the set point."),
        Claim::new(OURS, "used-again", "After the recovery the link is used as before.")
            .measure(Unit::Share, Rule::AtLeast(0.98), |seed| seed.run("ten").utilisation(PORT, BACK_SETTLED))
            .read_as("Busy for at least 98 % of the second half of the phase."),
        Claim::new(OURS, "held-again", "After the recovery QCN holds the queue at its set point.")
            .measure(Unit::Bytes, Rule::about(TARGET, 0.5), |seed| {
                seed.run("ten").mean_queue(QUEUE, BACK_SETTLED)
            })
            .read_as("Its mean in the second half of the phase, within 50 % of 30 kB."),
    ]
}

/// The time from the drop until the sum of rate limits has adapted; the whole phase if it never does.
fn followed_fall(run: &Run) -> Option<f64> {
    following(run, &limit_sum(run, line_rate(run)?), FALLEN, LOW)
}

/// The time from the recovery until the delivery rate has adapted; the whole phase if it never does.
fn followed_return(run: &Run) -> Option<f64> {
    following(run, &delivered(run), RETURNED, RATE)
}

fn following(run: &Run, values: &[f64], phase: Window, rate: f64) -> Option<f64> {
    let band = (1.0 - NEAR) * rate..=(1.0 + NEAR) * rate;
    Some(settled(run.over(values, phase)?, RUNNING, |mean| band.contains(&mean)) as f64 * run.interval()?)
}

/// The number of samples after which the moving average satisfies a test until the end; the total number of samples
/// if it fails the test at the end.
fn settled(values: &[f64], window: usize, test: impl Fn(f64) -> bool) -> usize {
    let inside: Vec<bool> = values.windows(window).map(|part| test(mean(part).unwrap_or(f64::NAN))).collect();
    match inside.iter().rposition(|inside| !inside) {
        _ if inside.is_empty() => values.len(),
        None => 0,
        Some(last) if last + 1 == inside.len() => values.len(),
        Some(last) => last + 1,
    }
}

/// The total delivery rate of all flows at each sample.
fn delivered(run: &Run) -> Vec<f64> {
    let sum = |index: usize| run.series.flows.iter().map(|series| series.rate_bps[index]).sum();
    (0..run.series.time_s.len()).map(sum).collect()
}

/// The rate of a source's port; the port of a single source is faster than the link.
fn line_rate(run: &Run) -> Option<f64> {
    match run.series.flows.len() {
        0 => None,
        1 => Some(2.0 * RATE),
        _ => Some(RATE),
    }
}

const FIFTY: &str = "Fifty sources are too many: at 0.5 Gb/s the queue stays full, and with some seeds many frames are \
    dropped (table). At that rate even a full queue is sampled so rarely that each of the fifty sources is notified \
    less often than its timer expires. Each time the timer expires, the source’s rate rises halfway back to its target \
    rate, and because of extra fast recovery this is still the target rate from before the drop. Dropped frames are \
    not sampled, which lets individual sources rise to line rate. The paper considers only a few sources.";

fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let of = |(case, label): &(&str, &str)| {
        let run = first.run(case);
        let limits = limit_sum(run, line_rate(run).unwrap_or(RATE));
        // Before the first notification only the ports limit the rates.
        let limits = limits.into_iter().map(|sum| if sum > 1.5 * RATE { f64::NAN } else { sum }).collect();
        let names = (&*format!("rates-{case}"), &*format!("{label}: sum of all rates"));
        let mut rates = panel::rates(run, names, &[("rate limits", limits), ("delivered", delivered(run))]);
        rates.note = "Sums above 15 Gb/s are not shown.".to_owned();
        [rates, queue_panel(run, (&format!("queue-{case}"), &format!("{label}: queue")))]
    };
    let table = table::by_case(
        runs,
        &CASES,
        &[
            ("Adapted to the drop after", Unit::Seconds, followed_fall),
            ("to the recovery after", Unit::Seconds, followed_return),
            ("Utilisation at 0.5 Gb/s", Unit::Share, |run| run.utilisation(PORT, LOW_SETTLED)),
            ("Mean queue at 0.5 Gb/s", Unit::Bytes, |run| run.mean_queue(QUEUE, LOW_SETTLED)),
            ("Sum of rate limits at 0.5 Gb/s", Unit::BitsPerSecond, |run| {
                run.mean_over(&limit_sum(run, line_rate(run)?), LOW_SETTLED)
            }),
            ("Utilisation after the recovery", Unit::Share, |run| run.utilisation(PORT, BACK_SETTLED)),
            ("Mean queue after the recovery", Unit::Bytes, |run| run.mean_queue(QUEUE, BACK_SETTLED)),
            ("Largest queue after the drop", Unit::Bytes, |run| run.queue_peak(QUEUE, change(1).until(END))),
            ("Frames dropped", Unit::Count, dropped),
        ],
    );
    let note = "Utilisation, mean queue and sum of rate limits cover the second half of each phase. If rates have not \
        adapted before the next change, the table shows the length of the phase.";
    let mut blocks = panel::of_seed(first, [CASES[0], CASES[4]].iter().flat_map(of));
    blocks.extend([Block::Table(table), Block::Note(note.to_owned()), runs.finding(FIFTY)]);
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_settled_where_their_running_mean_stays() {
        let test = |mean: f64| (4.0..=6.0).contains(&mean);
        let values = [9.0, 5.0, 1.0, 9.0, 5.0, 5.0, 3.0, 7.0];
        assert_eq!(settled(&values, 2, test), 4, "of 7, 3, 5, 7, 5, 4, 5");
        assert_eq!(settled(&values, 1, test), 8, "7 is outside");
        assert_eq!(settled(&values[4..6], 1, test), 0);
        assert_eq!(settled(&values[..1], 2, test), 1, "nothing to look at");
    }
}
