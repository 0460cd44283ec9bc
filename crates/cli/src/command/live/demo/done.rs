//! Human-readable output for a completed part of an experiment.

use setpoint_live::testbed::Measured;
use setpoint_record::results::RunRecord;
use setpoint_report::{LiveClaim, LivePart};
use setpoint_scenario::Prepared;

use super::experiment::Part;
use super::judged::{Judged, Verdict, judge, longest, shares};
use super::reason::Circumstances;
use crate::failure::Failure;
use crate::terminal::{self, Column, Facts, Screen, Table, Unit, quantity};

/// A completed part.
pub(super) struct Done {
    part: Part,
    weights: Vec<u32>,
    measured: Measured,
    live: RunRecord,
    simulated: RunRecord,
    judged: Vec<Judged>,
    claims: Vec<LiveClaim>,
}

impl Done {
    pub(super) fn new(
        part: Part,
        prepared: &Prepared,
        measured: Measured,
        (live, simulated): (RunRecord, RunRecord),
    ) -> Self {
        let weights = prepared.spec.flows.iter().map(|flow| flow.weight).collect();
        Self { part, weights, measured, live, simulated, judged: Vec::new(), claims: Vec::new() }
    }

    /// Judges the claims of the part.
    pub(super) fn judge(&mut self) {
        let judged = |claim| judge(claim, &self.weights, &self.live, &self.simulated);
        self.judged = self.part.claims.iter().copied().filter_map(judged).collect();
        self.claims = self.judged.iter().map(|judged| judged.claim.clone()).collect();
    }

    /// A sentence about each claim that differs on real frames: the measured value, the expected value, and the reason.
    pub(super) fn differences(&self) -> Vec<String> {
        let differs = self.judged.iter().filter(|judged| judged.live == Verdict::Differs);
        differs.map(|judged| self.difference(judged)).collect()
    }

    fn difference(&self, judged: &Judged) -> String {
        let LiveClaim { name, expected, .. } = &judged.claim;
        let (figure, measured) = (judged.figure.words(), &judged.measured);
        let reasons = self.circumstances().reasons(judged.simulated);
        format!("{name}: the {figure} is {measured}, expected {expected}. Likely reason: {reasons}.")
    }

    fn circumstances(&self) -> Circumstances {
        let rate: f64 = self.live.summary.flows.iter().map(|flow| flow.rate_bps).sum();
        let queue = longest(&self.live).map_or(0.0, |queue| queue.mean_bytes);
        Circumstances {
            lost: self.lost(),
            stall: self.measured.stall.as_picos() as f64 / 1e12,
            drains_in: queue * 8.0 / rate.max(1.0),
            core_wait: self.measured.core_wait,
        }
    }

    pub(super) fn as_part(&self) -> LivePart<'_> {
        LivePart {
            name: self.part.name,
            title: self.part.title,
            weights: &self.weights,
            live: &self.live,
            simulated: &self.simulated,
            claims: &self.claims,
            remarks: self.remarks(),
        }
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = vec![
            format!("Frames lost: {}.", self.lost()),
            format!("Longest delay before the machine woke the program: {}.", self.stall()),
        ];
        let sentence = |(name, text): (&str, String)| {
            let (first, rest) = name.split_at(1);
            format!("{}{rest}: {text}.", first.to_uppercase())
        };
        remarks.extend(self.marks().into_iter().map(sentence));
        let share =
            |share| format!("Longest wait of a thread for a core: {} of the time.", Unit::Share.text(share));
        remarks.extend(self.measured.core_wait.map(share));
        remarks.extend(self.differences());
        remarks
    }

    /// Marks and the replies to them, if the algorithm marks frames.
    fn marks(&self) -> Vec<(&'static str, String)> {
        let marked = |record: &RunRecord| record.summary.total.marked_frames;
        let (Some(live), Some(simulated)) = (marked(&self.live), marked(&self.simulated)) else {
            return Vec::new();
        };
        let received =
            |record: &RunRecord| -> u64 { record.summary.flows.iter().map(|flow| flow.notifications).sum() };
        let sent: u64 = self.measured.stations.iter().map(|station| station.cnps).sum();
        let (obeyed, expected) = (received(&self.live), received(&self.simulated));
        let bridge = &self.measured.bridge;
        let unmarkable = bridge.unmarkable_dropped + bridge.unmarkable_forwarded;
        vec![
            (
                "marked frames",
                format!("{live}, simulated {simulated}; {unmarkable} others were not ECN-capable"),
            ),
            ("CNPs", format!("{sent} sent by receivers, {obeyed} obeyed by sources, simulated {expected}")),
        ]
    }

    /// Number of frames that were lost or dropped anywhere in the testbed.
    fn lost(&self) -> u64 {
        self.measured.bridge.lost + self.measured.bridge.dropped + self.measured.losses.total()
    }

    fn stall(&self) -> String {
        quantity(Unit::Seconds, self.measured.stall.as_picos() as f64 / 1e12)
    }

    pub(super) fn print(&self) -> Result<(), Failure> {
        let columns = ["weighted share", "real frames", "simulated"].map(|name| Column::figures(name, 0));
        let first = vec![Column::words("flow", 0), Column::figures("weight", 1)];
        let mut table = Table::new([first, columns.into()].concat());
        let flows = self.live.summary.flows.iter().zip(&self.simulated.summary.flows);
        let shares = shares(&self.live, &self.weights);
        for (((live, simulated), weight), share) in flows.zip(&self.weights).zip(shares) {
            let rates =
                [share, live.rate_bps, simulated.rate_bps].map(|rate| quantity(Unit::BitsPerSecond, rate));
            table.row([live.name.clone(), weight.to_string()].into_iter().chain(rates));
        }
        let (rendered, _) = table.render(Screen::of_stdout());
        Ok(terminal::print(&format!("\n{}\n{rendered}\n{}\n", self.part.title, self.facts()))?)
    }

    fn facts(&self) -> String {
        let queue = |record: &RunRecord| {
            longest(record).map_or_else(String::new, |queue| {
                let mean = quantity(Unit::Bytes, queue.mean_bytes);
                format!("{mean} ± {}", quantity(Unit::Bytes, queue.deviation_bytes))
            })
        };
        let mut facts = Facts::new();
        facts.add("mean queue", [format!("{}, simulated {}", queue(&self.live), queue(&self.simulated))]);
        facts.add("frames lost", [self.lost().to_string()]);
        match self.marks() {
            none if none.is_empty() => {
                facts.add("notifications", [self.measured.bridge.notifications.to_string()]);
            }
            marks => marks.into_iter().for_each(|(name, text)| facts.add(name, [text])),
        }
        facts.add(
            "longest stall",
            [format!("{}, the longest delay before the machine woke the program", self.stall())],
        );
        for claim in &self.claims {
            facts.add("claim", [claim.statement.clone()]);
            facts.add(
                "",
                [format!("{} (expected {}); simulated, {}", claim.live, claim.expected, claim.simulated)],
            );
        }
        facts.render(Screen::of_stdout())
    }
}
