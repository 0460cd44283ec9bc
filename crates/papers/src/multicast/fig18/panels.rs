//! The panels of groups on a chain, in the order of the paper.

use super::super::set_points::{self, WHISKERS, curve};
use super::super::sources::{ALL, deviation, fairness, feedback, loss, offset};
use super::super::variation::Delivery;
use super::{GROUPS, GroupMeasure, QUEUES};
use crate::prelude::*;

pub(super) fn panels(runs: &Runs) -> Vec<Block> {
    vec![Block::Figures(figures(runs)), Block::Note(WHISKERS.to_owned())]
}

fn figures(runs: &Runs) -> Vec<Figure> {
    let per_frame = ("Notifications per frame", Unit::Share);
    let lost = ("Frames lost", Unit::Share);
    let mut figures = Vec::new();
    figures.extend(by_group(runs, "feedback", ("Feedback", [18, 19]), per_frame, feedback));
    figures.push(of_all(runs, ("feedback-all", "(20) Feedback, all groups"), per_frame, feedback));
    figures.extend(by_group(runs, "loss", ("Loss", [21, 22]), lost, loss));
    figures.push(of_all(runs, ("loss-all", "(23) Loss, all groups"), lost, loss));
    for (number, queue) in (1..).zip(QUEUES) {
        let title = format!("({}) Queue of switch {number} minus Qeq", 23 + number);
        let names = (&*format!("offset-{number}"), &*title);
        let label = ("Mean length minus Qeq", Unit::Bytes);
        let measure = |seed: &Seed<'_>, case: &str| offset(seed.run(case), queue);
        figures.push(set_points::by_delivery(runs, names, label, measure, None));
    }
    for (number, group) in (1..).zip(GROUPS) {
        let title = format!("({}) Deviation of rates, G{number}", 26 + number);
        let names = (&*format!("deviation-{number}"), &*title);
        let label = ("Standard deviation of the rate", Unit::BitsPerSecond);
        let measure = |seed: &Seed<'_>, case: &str| deviation(seed, case, group);
        figures.push(set_points::by_delivery(runs, names, label, measure, None));
    }
    figures.extend(by_group(runs, "jain", ("Fairness", [31, 30]), ("Jain’s index", Unit::Ratio), fairness));
    figures
}

/// A figure of all groups together, with a curve for each delivery.
fn of_all(runs: &Runs, names: (&str, &str), label: (&str, Unit), measure: GroupMeasure) -> Figure {
    set_points::by_delivery(runs, names, label, |seed, case| measure(seed, case, ALL), None)
}

/// A figure for each delivery, with its number in the paper, and a curve for each group.
fn by_group(
    runs: &Runs,
    name: &str,
    (title, numbers): (&str, [u32; 2]),
    label: (&str, Unit),
    measure: GroupMeasure,
) -> [Figure; 2] {
    [0, 1].map(|place| {
        let (delivery, number) = (Delivery::BOTH[place], numbers[place]);
        let curves = [0, 1, 2].map(|group| {
            let name = format!("G{}", group + 1);
            curve(runs, name, group, delivery, |seed, case| measure(seed, case, GROUPS[group]))
        });
        let title = format!("({number}) {title} by group, {}", delivery.words());
        set_points::figure((&format!("{name}-{}", delivery.key()), &title), label, &curves)
    })
}
