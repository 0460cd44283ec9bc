//! Figure 2: fan-in to one output, with congestion points in four places.

use setpoint_report::document::Block;
use setpoint_report::plot::Figure;
use setpoint_report::quantity::Unit;

use super::measure::{SENDERS, arrivals, arriving, farthest, fluctuation, spread};
use super::{Phase, at_inputs, at_outputs, panel, pause_only, scenario, taken};
use crate::case::Case;
use crate::claim::{Claim, Needs};
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs};
use crate::tables;

const SCENARIO: &str = scenario!("fig02", "at-10g");

const LINE: f64 = 10e9;

/// Before the fifth flow comes, as the paper has it.
const FOUR: Phase = (0.01, 0.1);
/// After it has gone; as long is left out as at the start.
const FOUR_AGAIN: Phase = (0.21, 0.3);
/// The second half of each phase, with the share of a flow and the number of flows.
const SETTLED: [(Phase, f64, usize); 3] =
    [((0.05, 0.1), 2.5e9, 4), ((0.15, 0.2), 2e9, 5), ((0.25, 0.3), 2.5e9, 4)];
/// Rates are looked at when limiters have had the time to recover.
const RECOVERED: Needs = Needs {
    part: "the first half of a phase",
    window: crate::timeline::START.until(crate::timeline::START.plus(0.05)),
    least: 0.05,
    process: "fast recovery by the timer (five cycles of 10 ms)",
};
/// Just after the fifth flow has come.
const NEW: Phase = (0.101, 0.11);

/// Grossly unfair: half of the excess of the paper's run at least, in which the fastest has 1.5 times the rate of the
/// slowest.
const UNFAIR: Rule = Rule::AtLeast(1.25);

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "unbiased/fig02",
        title: "Fan-in: congestion points at outputs and at inputs",
        setup: "Four backlogged senders of 10 Gb/s under different leaves of the rack fabric send to one receiver; a fifth joins them from 100 \
                to 200 ms. PAUSE keeps the fabric from losing frames. QCN has no congestion points, or has them at outputs, at inputs, or at both.",
        paper_says: "With PAUSE alone what arrives fluctuates wildly around the fair shares. With QCN at outputs the allocation is grossly unfair: \
                     from 10 to 100 ms one flow has 1.5 times the rate of another; the fifth flow falls from 10 to about 2.5 Gb/s at once and ends up \
                     with about three times the rate of the slowest; when it has gone there is a new unfair allocation. With QCN at inputs rates \
                     are strikingly precise: 2.5, then 2, then 2.5 Gb/s. With both it is as with outputs.",
        assumptions: [
            taken::list(&[taken::PART_OF_THE_FABRIC, taken::TABLE_1, taken::TIMER, taken::FABRIC]),
            vec![
                "Throughputs are of arrivals at input buffers, as the paper’s: how busy the link of each sender is, with preambles and gaps. They are \
                 sampled every 0.1 ms; the paper does not say how it does."
                    .to_owned(),
                "Congestion points at inputs tell the source of the frame they sampled; each input has one flow.".to_owned(),
            ],
        ]
        .concat(),
        cases: vec![
            pause_only(SCENARIO),
            at_outputs(SCENARIO),
            at_inputs("inputs", "QCN at inputs", SCENARIO),
            Case::new("both", "QCN at both", SCENARIO).set("control.qcn.placement=both"),
        ],
        quick: 0.2,
        repeats: Repeats::Seeds(10),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    const RATIO: &str = "The fastest of f1 to f4 over the slowest, by mean rates; grossly unfair is half of the excess of the paper’s run at least.";
    vec![
        Claim::measured(
            "pause-fluctuates",
            "With PAUSE alone what arrives of a flow fluctuates wildly.",
            (Unit::Ratio, Rule::AtLeast(0.5)),
            |seed| steadiest(seed.run("pause")),
        )
        .read_as(
            "Deviation of samples of 0.1 ms over their mean, from 10 to 100 ms, of the steadiest of f1 to f4; wildly is by half of the mean at least.",
        ),
        Claim::measured(
            "pause-around-shares",
            "With PAUSE alone rates fluctuate around the fair shares.",
            (Unit::Share, Rule::AtMost(0.1)),
            |seed| off_shares(seed.run("pause")),
        )
        .read_as("Mean rates in the second half of each phase within a tenth of the share: the farthest."),
        Claim::measured(
            "outputs-unfair",
            "With QCN at outputs the allocation is grossly unfair from 10 to 100 ms.",
            (Unit::Ratio, UNFAIR),
            |seed| unfairness(seed.run("outputs"), FOUR),
        )
        .read_as(RATIO),
        Claim::measured(
            "outputs-stay-unfair",
            "Flows that are slow stay slow.",
            (Unit::Ratio, UNFAIR),
            |seed| stays(seed.run("outputs")),
        )
        .read_as(
            "The fastest flow from 10 to 50 ms over the slowest, by their rates from 60 to 100 ms; the bound is that of grossly unfair.",
        ),
        Claim::measured(
            "f5-plummets",
            "With QCN at outputs f5 falls to about 2.5 Gb/s just after it has come.",
            (Unit::BitsPerSecond, Rule::Between(1.25e9, 5e9)),
            |seed| arriving(seed.run("outputs"), &SENDERS[4..], LINE, NEW)?.pop(),
        )
        .read_as("Mean rate from 101 to 110 ms; about is within a factor of two."),
        Claim::measured(
            "f5-ahead",
            "With QCN at outputs f5 ends up with about three times the rate of the slowest.",
            (Unit::Ratio, Rule::about(3.0, 1.0 / 3.0)),
            |seed| ahead(seed.run("outputs")),
        )
        .read_as("Mean rates from 150 to 200 ms; about is within a third."),
        Claim::measured(
            "outputs-unfair-again",
            "With QCN at outputs there is a new unfair allocation when f5 has gone.",
            (Unit::Ratio, UNFAIR),
            |seed| unfairness(seed.run("outputs"), FOUR_AGAIN),
        )
        .read_as(RATIO),
        Claim::measured(
            "inputs-fair",
            "With QCN at inputs rates are fair: 2.5, then 2, then 2.5 Gb/s.",
            (Unit::Share, Rule::AtMost(0.02)),
            |seed| off_shares(seed.run("inputs")),
        )
        .read_as("Mean rates in the second half of each phase within 2 % of the share: the farthest.")
        .needs(RECOVERED),
        Claim::measured(
            "both-unfair",
            "With QCN at both the allocation is as with outputs.",
            (Unit::Ratio, UNFAIR),
            |seed| unfairness(seed.run("both"), FOUR),
        )
        .read_as(RATIO),
    ]
}

fn steadiest(run: &Run) -> Option<f64> {
    let of = |sender: &super::measure::Sender| fluctuation(run, &arrivals(run, sender.port, LINE)?, FOUR);
    SENDERS[..4].iter().map(of).collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::min)
}

fn off_shares(run: &Run) -> Option<f64> {
    let off = |(phase, share, flows): &(Phase, f64, usize)| {
        farthest(&arriving(run, &SENDERS[..*flows], LINE, *phase)?, *share)
    };
    SETTLED.iter().map(off).collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max)
}

fn unfairness(run: &Run, phase: Phase) -> Option<f64> {
    spread(&arriving(run, &SENDERS[..4], LINE, phase)?)
}

fn stays(run: &Run) -> Option<f64> {
    let early = arriving(run, &SENDERS[..4], LINE, (0.01, 0.05))?;
    let late = arriving(run, &SENDERS[..4], LINE, (0.06, 0.1))?;
    let by_rate = |a: &usize, b: &usize| early[*a].total_cmp(&early[*b]);
    Some(late[(0..4).max_by(by_rate)?] / late[(0..4).min_by(by_rate)?])
}

fn ahead(run: &Run) -> Option<f64> {
    let rates = arriving(run, &SENDERS, LINE, SETTLED[1].0)?;
    Some(rates[4] / rates[..4].iter().copied().reduce(f64::min)?)
}

/// As in the paper: (a) PAUSE only, (b) outputs, (c) inputs, (d) both.
fn shown(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let titles = [
        ("pause", "(a) PAUSE only"),
        ("outputs", "(b) QCN at outputs"),
        ("inputs", "(c) QCN at inputs"),
        ("both", "(d) QCN at both"),
    ];
    let figures = titles.map(|(case, title)| one(first.run(case), case, title));
    let table = tables::by_case(
        runs,
        &titles,
        &[
            ("Fastest over slowest, 10 to 100 ms", Unit::Ratio, |run| unfairness(run, FOUR)),
            ("210 to 300 ms", Unit::Ratio, |run| unfairness(run, FOUR_AGAIN)),
            ("f5 over the slowest, 150 to 200 ms", Unit::Ratio, ahead),
            ("Farthest from the share, second halves", Unit::Share, off_shares),
            ("Fluctuation of the steadiest flow", Unit::Share, steadiest),
            ("Time paused, over all links", Unit::Seconds, |run| Some(run.summary.total.paused_s)),
        ],
    );
    let mut blocks = panel::of_seed(first, figures.into()).to_vec();
    blocks.push(Block::Table(table));
    blocks
}

fn one(run: &Run, case: &str, title: &str) -> Figure {
    let curve =
        |sender: &super::measure::Sender| (sender.flow, arrivals(run, sender.port, LINE).unwrap_or_default());
    let drawn: Vec<panel::Curve<'_>> = SENDERS.iter().map(curve).collect();
    panel::rates(run, &format!("rates-{case}"), title, LINE, &drawn)
}
