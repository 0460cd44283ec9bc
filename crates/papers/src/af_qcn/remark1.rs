//! Remark 1: hyper-active increase.

use super::choices::SET_POINT;
use super::{FOUR, filling_time, rate_panels};
use crate::prelude::*;

const SCENARIO: &str = scenario!("af-qcn": "fig06");

pub(super) fn experiment() -> Experiment {
    Experiment::new("af-qcn/remark1", "Hyper-active increase when bandwidth becomes available")
        .setup(
            "As in figure 6, with QCN: four backlogged flows share a link that runs at 1 Gb/s from 2 to 4 s and at \
            10 Gb/s before and after. One case uses hyper-active increase; the other continues with active increase \
            instead.",
        )
        .paper_says(
            "Hyper-active increase serves to seize unused bandwidth quickly when it suddenly becomes available. The \
            paper does not show a run of this.",
        )
        .assumptions([
            "“Quickly” means in at most half the time that active increase alone takes. The bandwidth counts \
             as seized once the flows together deliver 9.5 Gb/s for at least 100 ms.",
        ])
        .choices([&SET_POINT])
        .cases([
            Case::new("hyper", "with hyper-active increase", SCENARIO),
            Case::new("active", "without it", SCENARIO).set("control.qcn.rp.hyper_phase=off"),
        ])
        .panels(|runs| {
            let cases = [("hyper", "Rates with hyper-active increase"), ("active", "Rates without it")];
            rate_panels(runs, &cases, &FOUR)
        })
        .claims([
            Claim::new(
                OURS,
                "seizes-bandwidth",
                "Hyper-active increase quickly seizes bandwidth that becomes available.",
            )
            .measure(Unit::Ratio, Rule::AtMost(0.5), |seed| {
                Some(filling_time(seed.run("hyper"))? / filling_time(seed.run("active"))?)
            })
            .read_as(
                "Time from the link’s recovery until it is filled, divided by the same time without hyper-active \
                increase; at most half.",
            ),
        ])
}
