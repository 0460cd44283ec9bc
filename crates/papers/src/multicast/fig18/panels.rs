//! The panels of groups on a chain, in the order of the paper.

use super::super::set_points::{self, WHISKERS, curve};
use super::super::sources::{ALL, fairness, feedback, limit_deviation, loss, offset};
use super::super::variation::{Delivery, Sampling};
use super::{GROUPS, GroupMeasure, QUEUES};
use crate::prelude::*;

pub(super) fn panels(runs: &Runs) -> Vec<Block> {
    let mut blocks = Vec::new();
    for sampling in Sampling::BOTH {
        blocks.push(Block::Prose(format!("With {}:", sampling.words())));
        blocks.push(Block::Figures(Panels { runs, sampling }.figures()));
    }
    blocks.push(Block::Note(WHISKERS.to_owned()));
    blocks
}

/// The panels for one kind of sampling.
struct Panels<'a> {
    runs: &'a Runs,
    sampling: Sampling,
}

impl Panels<'_> {
    fn figures(&self) -> Vec<Figure> {
        let (per_frame, lost) = (("Notifications per frame", Unit::Share), ("Frames lost", Unit::Share));
        let mut figures = Vec::new();
        figures.extend(self.by_group("feedback", ("Feedback", [18, 19]), per_frame, feedback));
        figures.push(
            self.by_delivery(("feedback-all", "(20) Feedback, all groups"), per_frame, |run| {
                feedback(run, ALL)
            }),
        );
        figures.extend(self.by_group("loss", ("Loss", [21, 22]), lost, loss));
        figures.push(self.by_delivery(("loss-all", "(23) Loss, all groups"), lost, |run| loss(run, ALL)));
        for (number, queue) in (1..).zip(QUEUES) {
            let title = format!("({}) Queue of switch {number} minus Qeq", 23 + number);
            let names = (&*format!("offset-{number}"), &*title);
            let label = ("Mean length minus Qeq", Unit::Bytes);
            figures.push(self.by_delivery(names, label, |run| offset(run, queue)));
        }
        for (number, group) in (1..).zip(GROUPS) {
            let title = format!("({}) Deviation of CR, G{number}", 26 + number);
            let names = (&*format!("deviation-{number}"), &*title);
            let label = ("Standard deviation of CR", Unit::BitsPerSecond);
            figures.push(self.by_delivery(names, label, |run| limit_deviation(run, group)));
        }
        let index = ("Jain’s index", Unit::Ratio);
        figures.extend(self.by_group("jain", ("Fairness", [31, 30]), index, fairness));
        figures
    }

    /// A figure for each delivery, with its number in the paper, and a curve for each group.
    fn by_group(
        &self,
        name: &str,
        (title, numbers): (&str, [u32; 2]),
        label: (&str, Unit),
        measure: GroupMeasure,
    ) -> [Figure; 2] {
        [0, 1].map(|place| {
            let (delivery, number) = (Delivery::BOTH[place], numbers[place]);
            let curves = [0, 1, 2].map(|group| {
                let name = format!("G{}", group + 1);
                curve(self.runs, name, group, (delivery, self.sampling), |run| measure(run, GROUPS[group]))
            });
            let title = format!("({number}) {title} by group, {}", delivery.words());
            let name = format!("{name}-{}-{}", delivery.words().replace(' ', "-"), self.sampling.key());
            set_points::figure((&name, &title), label, &curves)
        })
    }

    /// A figure with a curve for each delivery.
    fn by_delivery(
        &self,
        (name, title): (&str, &str),
        label: (&str, Unit),
        measure: impl Fn(&Run) -> Option<f64>,
    ) -> Figure {
        let curves = [0, 1].map(|series| {
            let delivery = Delivery::BOTH[series];
            curve(self.runs, delivery.words(), series, (delivery, self.sampling), &measure)
        });
        set_points::figure((&format!("{name}-{}", self.sampling.key()), title), label, &curves)
    }
}
