//! Figure 17: the rates of three SMCC sources.

use super::{GAINS, NETWORK, SAMPLING};
use crate::prelude::*;

const FLOWS: [(&str, &str); 3] = [("f1", "source 1"), ("f2", "source 2"), ("f3", "source 3")];
const LINE: f64 = 1e9;
/// The fair share of each source.
const SHARE: f64 = LINE / 3.0;
/// The last two of ten seconds.
const LATE: Window = START.plus(8.0).until(END);

pub(super) fn experiment() -> Experiment {
    Experiment::new("smcc/fig17", "Rates of three SMCC sources")
        .setup("Three controlled flows start at the line rate of 1 Gb/s and share a link, with R_a 256 and R_b 64.")
        .paper_says("Each source eventually reaches its fair share, so SMCC is fair.")
        .assumptions([
            "The text does not give the length of the run; we assume ten seconds, which leaves time for “eventually”.",
            GAINS,
            SAMPLING,
            NETWORK,
        ])
        .cases([Case::new("smcc", "SMCC", scenario!("smcc": "three-sources", "with-smcc")).set("duration=10 s")])
        .panels(panels)
        .claims([
            Claim::new(OURS, "fair-share", "Each source eventually reaches its fair share.")
                .measure(Unit::Share, Rule::AtMost(0.1), |seed| farthest(&rates(seed)?, [SHARE; 3]))
                .read_as(
                    "Relative difference between a source’s mean rate from 8 to 10 s and a third of the link \
                    rate; the largest difference counts.",
                )
                .cause(CAUSE),
            Claim::new(OURS, "jain", "SMCC is fair.")
                .measure(Unit::Ratio, Rule::AtLeast(0.99), |seed| jain_index(rates(seed)?))
                .read_as("Jain’s index of the three mean rates from 8 to 10 s.")
                .cause("see the previous claim"),
        ])
}

/// Why shares are not reached.
const CAUSE: &str = "a rate change is as large for a slow source as for a fast one, and a source is sampled in \
    proportion to its rate, whether it speeds up or slows down. On average the control is therefore multiplicative in \
    both directions, which does not make rates converge (Chiu and Jain). The initial state and chance \
    determine the rates, and they are as unfair after 60 s as after 2 s (Jain’s index 0.67 and 0.69). With \
    smaller steps the rates stay closer to each other (0.93 with R_a 64). Other round-trip times, jitter, \
    sampling of only enqueued frames, KB of 1024 bytes and a larger minimum rate give 0.5 to 0.8. Sources \
    that react to every bridge reach 0.88, but the queue is then full";

/// The mean rates of the flows at the end.
fn rates(seed: &Seed<'_>) -> Option<Vec<f64>> {
    seed.run("smcc").mean_rates(FLOWS.map(|(flow, _)| flow), LATE)
}

fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let run = first.run("smcc");
    let curves = FLOWS.map(|(flow, label)| (label, run.limits(flow, LINE).unwrap_or_default()));
    let mut figure = panel::rates_up_to(LINE, run, ("rates", "Rates of the sources"), &curves);
    figure.references.push(across(SHARE, "fair share 333 Mb/s"));
    figure.note = format!("Limiter rates, sampled every millisecond, seed {}.", first.number());
    figure.room = Room::Full;
    vec![Block::Figures(vec![figure])]
}
