//! Claims about PAUSE that several figures share.

use crate::prelude::*;

/// The line rate.
pub(super) const LINE: f64 = 10e9;
/// The port of the sender.
pub(super) const SENDER: &str = "h1->leaf1.1";

/// The PAUSE period with QCN at inputs, occupancy sampling and keep-alive, compared with other cases of the experiment.
pub(super) fn pause_period(combined: &'static str) -> [Claim; 2] {
    let reduces = |origin, name, statement, other: &'static str| {
        Claim::new(origin, name, statement)
            .measure(Unit::Ratio, Rule::AtMost(0.8), move |seed| paused_over(seed, combined, other))
    };
    [
        reduces(
            at("abstract"),
            "pause-period-reduced",
            "QCN at inputs with occupancy sampling and keep-alive reduces the PAUSE period.",
            "pause",
        )
        .read_as(
            "The abstract does not say what it compares “the combined approach” with. We compare it with PAUSE alone, \
            since section IV says that QCN at inputs prolongs PAUSE activity compared with QCN at outputs. Total pause \
            time of all links, divided by that with PAUSE alone; “reduces” means by at least a fifth.",
        ),
        reduces(
            OURS,
            "pause-period-shorter-than-with-outputs",
            "It also reduces the PAUSE period compared with QCN at outputs.",
            "outputs",
        )
        .read_as("The same, divided by the total pause time with QCN at outputs.")
        .cause(
            "the PAUSE period is longer than with QCN at outputs. A congestion point at an output reacts before the \
            inputs fill up, whereas one at an input reacts to the very backlog that triggers PAUSE",
        ),
    ]
}

/// The claims about keep-alive in figure 6.
pub(super) fn keep_alive() -> [Claim; 3] {
    let claim = |name, statement| Claim::new(at("section IV"), name, statement);
    [
        claim("inputs-prolong-pause", "QCN at inputs prolongs the PAUSE activity.")
            .measure(Unit::Ratio, Rule::AtLeast(1.25), |seed| paused_over(seed, "inputs", "outputs"))
            .read_as(
                "Total pause time with QCN at inputs divided by that with QCN at outputs; “prolongs” means by at least \
                a quarter.",
            ),
        claim("keep-alive-reduces-pause", "Keep-alive reduces the PAUSE activity of QCN at inputs.")
            .measure(Unit::Ratio, Rule::AtMost(0.8), |seed| paused_over(seed, "keep-alive", "inputs"))
            .read_as(
                "Total pause time with keep-alive divided by that without; “reduce” means by at least a fifth.",
            ),
        claim(
            "keep-alive-averts-timer",
            "Keep-alive prevents the timer from raising the rate limit while the sender is paused.",
        )
        .measure(Unit::Count, Rule::AtMost(0.0), |seed| rises_while_paused(seed.run("keep-alive")))
        .given(
            "without keep-alive, the timer raises the limit of a paused sender at least once in a run",
            (Unit::Count, Rule::AtLeast(1.0)),
            |seed| rises_while_paused(seed.run("inputs")),
        )
        .read_as(
            "The number of samples at which the limit has risen although the sender was paused for the whole time \
            since the sample before the previous one. A paused sender sends no bytes, so its byte counter does \
            not advance and only the timer can raise the limit. “Averts” means that this never happens.",
        ),
    ]
}

/// The total pause time in one case divided by that in another.
fn paused_over(seed: &Seed<'_>, case: &str, other: &str) -> Option<f64> {
    let paused = |case: &str| seed.run(case).summary.total.paused_s;
    (paused(other) > 0.0).then(|| paused(case) / paused(other))
}

/// The number of samples at which the rate limit has risen while the sender was paused. It must have been paused
/// during the whole of this sample and the previous one, so that it has not just finished a frame.
pub(super) fn rises_while_paused(run: &Run) -> Option<f64> {
    let limits = run.limits("f1", LINE)?;
    let paused = &run.port_series(SENDER)?.paused_share;
    let rises = |at: &usize| {
        let before = at - 1;
        let is_paused = paused[before] >= 1.0 && paused[*at] >= 1.0;
        is_paused && limits[*at] > limits[before]
    };
    Some(run.samples(change(1).until(END)).skip(1).filter(rises).count() as f64)
}

/// The total time that links were paused.
#[expect(clippy::unnecessary_wraps, reason = "table columns expect options")]
pub(super) fn paused_time(run: &Run) -> Option<f64> {
    Some(run.summary.total.paused_s)
}
