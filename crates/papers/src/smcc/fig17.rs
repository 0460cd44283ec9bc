//! Figure 17: the rates of three SMCC sources.

use super::choices::{AUDIENCE, R_A};
use super::{ARRIVING, GAIN_B, NETWORK};
use crate::prelude::*;

const TOGETHER: &str = scenario!("smcc": "three-sources", "with-smcc");
const ONE_LATER: &str = scenario!("smcc": "late-source", "with-smcc");

const FLOWS: [(&str, &str); 3] = [("f1", "source 1"), ("f2", "source 2"), ("f3", "source 3")];
const LATER: [(&str, &str); 3] =
    [("f1", "source 1"), ("f2", "source 2"), ("late", "source 3, which joins later")];
const LINE: f64 = 1e9;
/// The fair share of each source.
const SHARE: f64 = LINE / 3.0;
/// The last two of ten seconds.
const LATE: Window = START.plus(8.0).until(END);

pub(super) fn experiment() -> Experiment {
    let every_source = |name, label, scenario| {
        Case::new(name, label, scenario).set_all(["duration=10 s", "control.smcc.audience=every-flow"])
    };
    Experiment::new("smcc/fig17", "Rates of three SMCC sources")
        .setup(
            "Three controlled flows start at the line rate of 1 Gb/s and share a link, with R_a = 256 and R_b = 64.",
        )
        .paper_says("Each source eventually reaches its fair share, so SMCC is fair.")
        .choices([&R_A, &AUDIENCE])
        .assumptions([
            "The text does not give the length of the run; we assume ten seconds, which leaves time for “eventually”.",
            "If notifications go to every source, this means every source from which a frame has arrived since the \
            previous sample.",
            GAIN_B,
            "One frame is sampled per 100 kB of arriving traffic, as in the leading set-up of the other experiments.",
            ARRIVING,
            NETWORK,
        ])
        .cases([
            Case::new("smcc", "SMCC", TOGETHER).set("duration=10 s"),
            every_source("together", "notifications to every source, all start together", TOGETHER),
            every_source("later", "notifications to every source, one joins later", ONE_LATER),
        ])
        .panels(panels)
        .claims(claims())
}

fn claims() -> [Claim; 3] {
    [
        Claim::new(at("section 5.3.1, figure 17"), "fair-share", "Each source eventually reaches its fair share.")
            .measure(Unit::Share, Rule::AtMost(0.1), |seed| farthest(&rates(seed, "smcc", FLOWS)?, [SHARE; 3]))
            .read_as(
                "Relative difference between a source’s mean rate in the last two seconds and a third of the link \
                rate; the largest difference counts.",
            )
            .cause(CAUSE),
        Claim::new(
            OURS,
            "heard-by-all-equal-start",
            "If every source receives every notification and all start together, their rates are equal.",
        )
        .measure(Unit::Ratio, Rule::AtLeast(0.99), |seed| jain_index(rates(seed, "together", FLOWS)?))
        .read_as("Jain’s index of the three mean rates in the last two seconds."),
        Claim::new(
            OURS,
            "heard-by-all-unequal-start",
            "If every source receives every notification, the difference between two rates never changes.",
        )
        .measure(Unit::BitsPerSecond, Rule::about(LINE / 2.0, 0.1), |seed| {
            let rates = rates(seed, "later", LATER)?;
            Some(rates[2] - (rates[0] + rates[1]) / 2.0)
        })
        .read_as(
            "A third source joins at the line rate when the other two have half of it each. The measured value is the \
            difference between its mean rate and theirs in the last two seconds, which must be within a tenth of half \
            the line rate.",
        ),
    ]
}

/// The reason why the sources do not reach their fair shares.
const CAUSE: &str = "a notification changes a slow source’s rate by as much as a fast one’s, and sources are sampled \
    in proportion to their rates, whether rates rise or fall. The expected relative change is therefore the same for \
    all sources, so the rates do not converge (Chiu and Jain). They depend on how the flows start and on chance. If \
    every source received every notification, all rates would change by the same amount: sources that start together \
    would keep equal rates, but unequal rates would not become equal (our checks)";

/// The mean rates of the flows at the end.
fn rates(seed: &Seed<'_>, case: &str, flows: [(&str, &str); 3]) -> Option<Vec<f64>> {
    seed.run(case).mean_rates(flows.map(|(flow, _)| flow), LATE)
}

fn panels(runs: &Runs) -> Vec<Block> {
    let cases = [
        ("smcc", "Rates of the sources", FLOWS, Room::Full),
        ("together", "Every source receives every notification: all start together", FLOWS, Room::Half),
        ("later", "Every source receives every notification: one joins later", LATER, Room::Half),
    ];
    let figures = cases.map(|(case, title, flows, room)| {
        let first = runs.first();
        let run = first.run(case);
        let curves = flows.map(|(flow, label)| (label, run.limits(flow, LINE).unwrap_or_default()));
        let mut figure = panel::rates_up_to(LINE, run, (&format!("rates-{case}"), title), &curves);
        figure.references.push(across(SHARE, "fair share 333 Mb/s"));
        figure.note = format!("Limiter rates, sampled every millisecond, seed {}.", first.number());
        figure.room = room;
        figure
    });
    let mut table = table::with_headings("", ["Jain’s index of the rates in the last two seconds"]);
    for (case, title, flows, _) in cases {
        let values = runs.values(|seed| jain_index(rates(seed, case, flows)?));
        table.row([Cell::words(title), table::cell(Unit::Ratio, &values)]);
    }
    vec![Block::Figures(figures.into()), Block::Table(table)]
}
