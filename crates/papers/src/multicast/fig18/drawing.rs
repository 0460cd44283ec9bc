//! The figures of groups on a chain.

use setpoint_report::plot::Figure;
use setpoint_report::quantity::Unit;

use super::super::measure::{ALL, Sources, fairness, feedback, limit_deviation, loss, offset};
use super::super::panel::{Curve, over_set_points};
use super::super::variant::{Delivery, Sampling};
use super::{GROUPS, OfGroup, QUEUES};
use crate::runs::{Run, Runs};

/// The figures of one sampling.
pub(super) struct Drawing<'a> {
    pub(super) runs: &'a Runs,
    pub(super) sampling: Sampling,
}

impl Drawing<'_> {
    pub(super) fn all(&self) -> Vec<Figure> {
        let mut figures: Vec<Figure> = Vec::new();
        figures.extend(self.of_groups(
            "feedback",
            ("Feedback", [18, 19]),
            ("Notifications per frame", Unit::Share),
            feedback,
        ));
        figures.push(self.of_both(
            "feedback-all",
            "(20) Feedback, all groups",
            ("Notifications per frame", Unit::Share),
            |run| feedback(run, ALL),
        ));
        figures.extend(self.of_groups("loss", ("Loss", [21, 22]), ("Frames lost", Unit::Share), loss));
        figures.push(self.of_both(
            "loss-all",
            "(23) Loss, all groups",
            ("Frames lost", Unit::Share),
            |run| loss(run, ALL),
        ));
        for (number, queue) in (1..).zip(QUEUES) {
            let title = format!("({}) Queue of switch {number} less Qeq", 23 + number);
            let name = format!("offset-{number}");
            figures.push(
                self.of_both(&name, &title, ("Mean length less Qeq", Unit::Bytes), |run| offset(run, queue)),
            );
        }
        for (number, group) in (1..).zip(GROUPS) {
            let title = format!("({}) Deviation of CR, G{number}", 26 + number);
            let name = format!("deviation-{number}");
            let label = ("Standard deviation of CR", Unit::BitsPerSecond);
            figures.push(self.of_both(&name, &title, label, |run| limit_deviation(run, group)));
        }
        figures.extend(self.of_groups(
            "jain",
            ("Fairness", [31, 30]),
            ("Jain’s index", Unit::Ratio),
            fairness,
        ));
        figures
    }

    /// A figure for each delivery, with the number that it has in the paper, and a curve for each group.
    fn of_groups(
        &self,
        name: &str,
        (title, numbers): (&str, [u32; 2]),
        label: (&str, Unit),
        measure: OfGroup,
    ) -> [Figure; 2] {
        [0, 1].map(|place| {
            let (delivery, number) = (Delivery::BOTH[place], numbers[place]);
            let curve = |(index, group): (usize, Sources)| {
                let name = format!("G{}", index + 1);
                Curve::measured(self.runs, &name, index, (delivery, self.sampling), |run| measure(run, group))
            };
            let drawn: Vec<Curve> = GROUPS.into_iter().enumerate().map(curve).collect();
            let title = format!("({number}) {title} by group, {}", delivery.words());
            let name = format!("{name}-{}-{}", delivery.words().replace(' ', "-"), self.sampling.key());
            over_set_points(&name, &title, label, &drawn)
        })
    }

    /// A figure with a curve for each delivery.
    fn of_both(
        &self,
        name: &str,
        title: &str,
        label: (&str, Unit),
        measure: impl Fn(&Run) -> Option<f64>,
    ) -> Figure {
        let curve = |(index, delivery): (usize, Delivery)| {
            Curve::measured(self.runs, delivery.words(), index, (delivery, self.sampling), &measure)
        };
        let drawn: Vec<Curve> = Delivery::BOTH.into_iter().enumerate().map(curve).collect();
        over_set_points(&format!("{name}-{}", self.sampling.key()), title, label, &drawn)
    }
}
