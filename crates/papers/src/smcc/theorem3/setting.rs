//! The cases: a grid of R_a and R_b, in steps of a factor of four.

use crate::prelude::*;

/// R_a and R_b in Mb/s.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) a: u32,
    pub(super) b: u32,
}

const THREE_FLOWS: &str = scenario!("smcc": "three-sources", "with-smcc");
const BACKGROUND: &str = scenario!("smcc": "theorem2", "with-smcc");

pub(super) const A: [u32; 4] = [16, 64, 256, 1024];
pub(super) const B: [u32; 5] = [10, 40, 160, 640, 2560];

/// All pairs, ordered by R_b, then by R_a.
pub(super) fn settings() -> impl Iterator<Item = Setting> {
    B.into_iter().flat_map(|b| A.map(|a| Setting { a, b }))
}

impl Setting {
    /// The name of its case.
    pub(super) fn name(self) -> String {
        format!("{}-{}", self.a, self.b)
    }

    /// The case with three flows alone on a link.
    pub(super) fn case(self) -> Case {
        self.on(THREE_FLOWS)
    }

    /// The case with two flows and background traffic of 875 Mb/s.
    pub(super) fn crowded(self) -> Case {
        self.on(BACKGROUND).set("flows.2.traffic.constant.rate=\"875 Mb/s\"")
    }

    fn on(self, network: &'static str) -> Case {
        let Self { a, b } = self;
        Case::new(self.name(), format!("R_a {a}, R_b {b}"), network)
            .set(format!("control.smcc.rp.state_a=\"{a} Mb/s\""))
            .set(format!("control.smcc.rp.state_b=\"{b} Mb/s\""))
    }
}
