//! Figures 11 and 12: feedback and loss rates by set point.

use super::set_points::{self, WHISKERS};
use super::sources::{ALL, feedback, loss};
use super::variation::{Delivery, Measure, all_cases};
use super::{DUMBBELL, SET_POINTS, choices, on_dumbbell};
use crate::prelude::*;

/// A rate relative to the number of frames sent by the sources, with its published values.
#[derive(Clone, Copy)]
struct ShareOfFrames {
    names: (&'static str, &'static str),
    axis: &'static str,
    place: Origin,
    measure: Measure,
    /// By delivery, then by set point.
    paper: [[f64; 3]; 2],
}

const FEEDBACK: ShareOfFrames = ShareOfFrames {
    names: ("feedback", "Feedback rate"),
    axis: "Notifications per frame",
    place: at("section 3.2, figure 11"),
    measure: |seed, case| feedback(seed, case, ALL),
    paper: [[0.0249, 0.0335, 0.0246], [0.4805, 0.4449, 0.0187]],
};

const LOSS: ShareOfFrames = ShareOfFrames {
    names: ("loss", "Loss rate"),
    axis: "Frames lost",
    place: at("section 3.3, figure 12"),
    measure: |seed, case| loss(seed, case, ALL),
    paper: [[0.0, 0.0039, 0.1609], [0.0893, 0.0820, 0.0794]],
};

/// Cases that are not in the paper. In the first one, CR cannot fall below 195 Mb/s, which is more than
/// CR_mean.
const FLOORED: (&str, &str) =
    ("unicast-25-floor", "multiple unicast, Qeq 25 frames, every frame sampled, CR at least 195 Mb/s");
const DEAF: [(&str, &str); 2] = [
    ("multicast-25-deaf", "multicast, Qeq 25 frames, sources do not react"),
    ("unicast-25-deaf", "multiple unicast, Qeq 25 frames, sources do not react"),
];
const UNCONTROLLED: [(&str, &str); 2] =
    [("multicast-none", "multicast, no control"), ("unicast-none", "multiple unicast, no control")];

/// Figure 11.
pub(super) fn feedback_rate() -> Experiment {
    experiment("multicast/fig11", "Feedback rate by set point", FEEDBACK, (DEAF, "control.qcn.rp.enable=off"))
        .setup(
            "Six sources and two receivers as in figures 3 to 8, with multicast and with multiple unicast, and with \
            Qeq set to 25, 50 or 75 frames in a queue of 100 frames. The feedback rate is the number of notifications \
            divided by the number of frames that the sources send.",
        )
        .paper_says(
            "With multiple unicast, the feedback rate is higher than with multicast and falls as Qeq grows: 48.05, \
            44.49 and 1.87 % of the frames. With multicast, it is almost constant: 2.49, 3.35 and 2.46 %.",
        )
        .assumptions([
            "Feedback for 48.05, 44.49 and 1.87 % of the frames with multiple unicast was not found in one set-up. A \
            hypothesis, not a finding: the decimal point of the first two values is misplaced, and they should be \
            4.805 and 4.449 %. Two of our own checks test it.",
            "Extra cases show sources whose CR has a floor, and sources that do not react.",
            "With Qeq set to 75 frames, the paper’s own feedback rate is lower with multiple unicast (1.87 %) than \
            with multicast (2.46 %). We therefore compare the means over the three set points.",
        ])
        .claims(compared_feedback().into_iter().chain(published(FEEDBACK, feedback_cause)))
        .claims(misplaced_points())
        .claims([with_floor(FEEDBACK)])
}

/// Figure 12.
pub(super) fn loss_rate() -> Experiment {
    experiment("multicast/fig12", "Loss rate by set point", LOSS, (UNCONTROLLED, "control=none"))
        .setup(
            "Six sources and two receivers as in figures 3 to 8, with multicast and with multiple unicast, and with \
            Qeq set to 25, 50 or 75 frames in a queue of 100 frames. The loss rate is the number of dropped frames \
            divided by the number of frames that the sources send.",
        )
        .paper_says(
            "With multiple unicast, the loss rate is higher than with multicast for most values of Qeq: 8.93, 8.20 and \
            7.94 % of the frames. With multicast, it is close to zero up to 50 frames and then rises steeply: 0, 0.39 \
            and 16.09 %. According to table 1, the loss grows with Qeq for both kinds of delivery, but the paper’s \
            figures for multiple unicast fall.",
        )
        .assumptions([
            "Without any control, six multicast sources lose a sixth of their frames once all are active: 16.7 %, or \
            17.8 % with preambles and gaps. The loss over the whole run is smaller, since fewer sources are active at \
            first: it would reach the paper’s 16.09 % after 28.3 s. The paper reports this loss together with feedback \
            for 2.46 % of the frames, or one in 41. A source that obeys notifications slows down by at least 1/128 for \
            each of them, and needs 100 frames without another one to recover: it would fall from 200 Mb/s to CR_mean \
            in about 23 notifications. This argument does not apply if recovery continues while a source is \
            notified.",
            "The three losses with multicast occur together if a notification in fast recovery only decreases CR, \
            feedback is quantised as in the standard, and the target is the rate after a decrease: 0.002, 0.50 and \
            16.19 % (means of ten seeds). Recovery then continues while a source is notified. A step of the standard’s \
            quantiser grows with Qeq, so with 75 frames sources recover faster than they are slowed down.",
            "Extra cases show sources whose CR has a floor, and both kinds of delivery without control.",
        ])
        .claims(compared_loss().into_iter().chain(published(LOSS, loss_cause)))
        .claims([with_floor(LOSS)])
}

/// An experiment on the dumbbell that measures a share of the frames. A table shows extra cases: one for each
/// delivery, with the same setting, and one with a floor for CR.
fn experiment(
    id: &'static str,
    title: &'static str,
    share: ShareOfFrames,
    (extra, setting): ([(&'static str, &'static str); 2], &'static str),
) -> Experiment {
    let case = |(name, label): (&str, &str)| Case::new(name, label, DUMBBELL).beyond_paper();
    let extra_cases = [0, 1].map(|place| Delivery::BOTH[place].set(case(extra[place])).set(setting));
    let floored = Delivery::MultipleUnicast
        .set(case(FLOORED))
        .set_all(["control.qcn.cp.sampling=every-frame", "control.qcn.rp.min_rate=\"195 Mb/s\""]);
    on_dumbbell(id, title)
        .choices(choices::BOTH)
        .cases(all_cases(DUMBBELL).chain(extra_cases).chain([floored]))
        .panels(move |runs| panels(runs, share, &[extra[0], extra[1], FLOORED]))
}

fn panels(runs: &Runs, share: ShareOfFrames, extra: &[(&str, &str)]) -> Vec<Block> {
    let axis = (share.axis, Unit::Share);
    let figure = set_points::by_delivery(runs, share.names, axis, share.measure, Some(share.paper));
    let columns = [FEEDBACK, LOSS].map(|share| (share.names.1, Unit::Share, share.measure));
    vec![
        Block::Figures(vec![figure]),
        Block::Note(WHISKERS.to_owned()),
        Block::Table(set_points::table(runs, &[(share.names.1, Unit::Share, share.measure)])),
        Block::Prose("Sources that hardly react, or do not react at all:".to_owned()),
        Block::Table(table::by_case_and_seed(runs, ("", extra), &columns)),
    ]
}

/// Claims about the published values, with multiple unicast first.
fn published(share: ShareOfFrames, cause: fn(Delivery, u32) -> &'static str) -> impl Iterator<Item = Claim> {
    let claim = move |delivery: Delivery, place: usize| {
        let (frames, paper) = (SET_POINTS[place], share.paper[delivery as usize][place]);
        let rate = share.names.1.to_lowercase();
        let percent = if paper > 0.0 { format!("{:.2} %", 100.0 * paper) } else { "0 %".to_owned() };
        let words = delivery.words();
        let statement = format!("With {words} and Qeq set to {frames} frames, the {rate} is {percent}.");
        let (rule, reading) = if paper > 0.0 {
            (Rule::about(paper, 1.0 / 3.0), "The paper’s figure, within a third.")
        } else {
            (Rule::AtMost(0.001), "“0 %” means at most one frame in a thousand.")
        };
        Claim::new(share.place, delivery.case_name(frames), statement)
            .measure(Unit::Share, rule, move |seed| delivery.at(seed, frames, share.measure))
            .read_as(reading)
            .published(paper)
            .cause(cause(delivery, frames))
    };
    let deliveries = [Delivery::MultipleUnicast, Delivery::Multicast].into_iter();
    deliveries.flat_map(move |delivery| [0, 1, 2].map(|place| claim(delivery, place)))
}

/// The hypothesis that two of the published values have a misplaced decimal point.
fn misplaced_points() -> [Claim; 2] {
    [0, 1].map(|place| {
        let (frames, value) = (SET_POINTS[place], FEEDBACK.paper[1][place] / 10.0);
        let statement = format!(
            "With multiple unicast and Qeq set to {frames} frames, the feedback rate is a tenth of the published value."
        );
        Claim::new(OURS, format!("a-tenth-at-{frames}"), statement)
            .measure(Unit::Share, Rule::about(value, 1.0 / 3.0), move |seed| {
                Delivery::MultipleUnicast.at(seed, frames, FEEDBACK.measure)
            })
            .read_as(
                "A tenth of the paper’s figure, within a third, as for the other figures. The hypothesis was made after \
                a look at the results.",
            )
            .published(value)
    })
}

/// The claim about sources whose CR has a floor.
fn with_floor(share: ShareOfFrames) -> Claim {
    let paper = share.paper[1][0];
    let (rate, percent) = (share.names.1.to_lowercase(), 100.0 * paper);
    let statement = format!(
        "If every frame were sampled and CR could not fall below 195 Mb/s, the {rate} with multiple unicast would be \
        the paper’s {percent:.2} %."
    );
    Claim::new(OURS, "if-cr-had-a-floor", statement)
        .measure(Unit::Share, Rule::about(paper, 1.0 / 3.0), move |seed| (share.measure)(seed, FLOORED.0))
        .read_as(
            "With Qeq set to 25 frames; within a third of the paper’s figure, as for the other figures. This \
            check was added after a first look at the results.",
        )
}

fn compared_feedback() -> [Claim; 3] {
    let claim = |name, statement| Claim::new(FEEDBACK.place, name, statement);
    [
        claim("unicast-higher", "Feedback is higher with multiple unicast than with multicast.")
            .measure(Unit::Ratio, Rule::AtLeast(1.25), |seed| {
                let [multicast, unicast] = Delivery::BOTH.map(|delivery| delivery.mean(seed, FEEDBACK.measure));
                Some(unicast? / multicast?)
            })
            .read_as("The ratio of the means over the three set points; “higher” means by at least a quarter.")
            .cause(
                "with both kinds of delivery, the same six limiters feed the bottleneck, and the number of \
                notifications depends on how fast they recover. Multiple unicast behaves like multicast with twice the \
                traffic",
            ),
        claim("unicast-falls", "With multiple unicast, feedback falls as Qeq grows.")
            .measure(Unit::Ratio, Rule::AtMost(0.8), |seed| {
                let rate = |frames| Delivery::MultipleUnicast.at(seed, frames, FEEDBACK.measure);
                Some(rate(75)? / rate(25)?)
            })
            .read_as("The feedback rate with Qeq set to 75 frames divided by the rate with 25; “falls” means by at \
                least a fifth.")
            .cause(
                "the queue is controlled at every Qeq, and the number of notifications depends on how fast the sources \
                recover. Recovery does not depend on Qeq",
            ),
        claim("multicast-steady", "With multicast, feedback is almost the same for all values of Qeq.")
            .measure(Unit::Ratio, Rule::AtMost(1.5), |seed| {
                max_over_min(&Delivery::Multicast.each(seed, FEEDBACK.measure)?)
            })
            .read_as(
                "The largest of the three rates divided by the smallest; “almost the same” means at most half as large \
                again. The paper’s own ratio is 1.36.",
            ),
    ]
}

fn feedback_cause(delivery: Delivery, frames: u32) -> &'static str {
    match (delivery, frames) {
        (Delivery::MultipleUnicast, 25 | 50) => {
            "with the standard’s table, a congestion point samples at most one frame in 18.5 kB, or 8.1 % of the \
            frames, on average. Even if it samples every frame, sources that obey cannot be notified that often: each \
            notification cuts CR by at least 1/128 and restarts the cycle of 100 frames after which CR rises, so CR \
            falls from 200 Mb/s to 10 Mb/s in 382 notifications, and six sources at 10 Mb/s cause no congestion"
        }
        _ => {
            "with the standard’s table, a congestion point samples one frame in 100 (150 kB) while the queue is near \
            Qeq, and not every sample gives feedback. More than 1 % requires a queue that is far above Qeq most of the \
            time"
        }
    }
}

fn compared_loss() -> [Claim; 4] {
    let claim = |name, statement| Claim::new(LOSS.place, name, statement);
    [
        claim("multicast-lower", "The loss is lower with multicast than with multiple unicast for most values of Qeq.")
            .measure(Unit::Count, Rule::AtLeast(2.0), |seed| {
                Delivery::MultipleUnicast.count_larger(Delivery::Multicast, seed, LOSS.measure)
            })
            .read_as("The number of set points (out of three) at which the loss is smaller; “most” means at least two.")
            .cause(NOTHING),
        claim("multicast-none-until-50", "With multicast, close to nothing is lost for Qeq up to 50 frames.")
            .measure(Unit::Share, Rule::AtMost(0.005), |seed| {
                most([25, 50].map(|frames| Delivery::Multicast.at(seed, frames, LOSS.measure)))
            })
            .read_as("The larger of the losses at the two set points; “close to nothing” means at most half a per \
                cent."),
        claim("multicast-grows", "With multicast, the loss grows with Qeq.")
            .measure(Unit::Share, Rule::AtLeast(0.01), |seed| {
                let loss = |frames| Delivery::Multicast.at(seed, frames, LOSS.measure);
                Some(loss(75)? - loss(25)?)
            })
            .read_as("The loss with Qeq set to 75 frames minus the loss with 25; at least one frame in a hundred, \
                since the paper says that it “rises steeply”.")
            .cause(NOTHING),
        Claim::new(at("section 4, table 1"), "unicast-grows", "With multiple unicast, the loss grows with Qeq.")
            .measure(Unit::Share, Rule::AtLeast(0.001), |seed| {
                let loss = |frames| Delivery::MultipleUnicast.at(seed, frames, LOSS.measure);
                Some(loss(75)? - loss(25)?)
            })
            .read_as("The loss with Qeq set to 75 frames minus the loss with 25; it must be at least one frame in a \
                thousand. The paper’s own figures fall by one percentage point."),
    ]
}

const NOTHING: &str = "hardly any frames are lost with either kind of delivery: with feedback in frames, the sources \
    slow down so much that room for 25 frames above Qeq is enough. The standard’s step, Qeq(2w + 1)/63, is 4 frames if \
    Qeq is 50 frames and 6 frames if it is 75, so its cuts are smaller";

fn loss_cause(delivery: Delivery, frames: u32) -> &'static str {
    match (delivery, frames) {
        (Delivery::Multicast, 25 | 50) => NOTHING,
        (Delivery::Multicast, _) => {
            "sources lose this much if they never slow down below their offered rate, whether they do not react at all (see \
            the table) or ignore notifications in fast recovery (see the other readings)"
        }
        (Delivery::MultipleUnicast, _) => {
            "sources that obey keep the queue near Qeq. A steady loss requires sources that keep sending more than the \
            link can carry although they are notified, such as those whose CR has a floor (our check)"
        }
    }
}
