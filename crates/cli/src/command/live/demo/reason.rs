//! The likely reason why a claim differs on real frames.

use setpoint_units::quantity::Unit;

use super::judged::Verdict;

/// Share of time spent waiting for a core above which a program sends less than it should.
const CORE_WAIT: f64 = 0.05;

/// The circumstances of a run on real frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circumstances {
    pub(super) lost: u64,
    /// The longest delay before the machine woke a node, in seconds.
    pub(super) stall: f64,
    /// The time in which the mean queue drains, in seconds.
    pub(super) drains_in: f64,
    /// The largest share of the time during which a node or a program was ready to run, but had no core.
    pub(super) core_wait: Option<f64>,
}

impl Circumstances {
    /// Sentences about the reasons that the measurements suggest, the most likely first.
    pub(super) fn reasons(&self, simulated: Verdict) -> String {
        let mut reasons = Vec::new();
        if simulated == Verdict::Differs {
            reasons.push(
                "the simulation of the same scenario differs too, so the machine is not the only cause"
                    .to_owned(),
            );
        }
        reasons.extend(self.of_machine());
        if self.lost > 0 {
            reasons.push(format!("{} frames were lost", self.lost));
        }
        if reasons.is_empty() {
            let late = Unit::Seconds.text(self.stall);
            return format!(
                "not found: the machine woke every node within {late} and lost no frame; compare several runs, or measure for longer \
                 with `--set duration=40s`"
            );
        }
        reasons.join("; ")
    }

    fn of_machine(&self) -> Option<String> {
        let late = (self.stall > self.drains_in).then(|| {
            let (stall, drains) = (Unit::Seconds.text(self.stall), Unit::Seconds.text(self.drains_in));
            format!("it woke a node {stall} late, but the queue drains in only {drains}")
        });
        let starved = self.core_wait.filter(|share| *share > CORE_WAIT).map(|share| {
            format!(
                "a node or a sending program waited for a core for {} of the time",
                Unit::Share.text(share)
            )
        });
        let found: Vec<String> = [late, starved].into_iter().flatten().collect();
        let remedy = "stop other programs, or use a machine with more cores";
        (!found.is_empty()).then(|| format!("the machine was too slow: {}; {remedy}", found.join(", and ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALM: Circumstances =
        Circumstances { lost: 0, stall: 0.0002, drains_in: 0.003, core_wait: Some(0.004) };

    #[test]
    fn reasons_come_from_measurements() {
        let late = Circumstances { stall: 0.012, ..CALM };
        let starved = Circumstances { core_wait: Some(0.4), lost: 3, ..CALM };
        insta::assert_snapshot!(
            [
                CALM.reasons(Verdict::Holds),
                CALM.reasons(Verdict::Differs),
                late.reasons(Verdict::Holds),
                starved.reasons(Verdict::Holds),
                Circumstances { stall: 0.012, ..starved }.reasons(Verdict::Differs),
            ]
            .join("\n")
        );
    }

    #[test]
    fn a_kernel_without_accounts_says_nothing_about_cores() {
        let unknown = Circumstances { core_wait: None, ..CALM };
        assert_eq!(unknown.of_machine(), None);
    }
}
