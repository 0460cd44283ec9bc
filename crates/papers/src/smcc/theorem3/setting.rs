//! The cases: R_a and R_b, all with all, by factors of four.

use crate::case::Case;
use crate::smcc::scenario;

/// One of the cases.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    /// R_a in Mb/s.
    pub(super) a: u32,
    /// R_b in Mb/s.
    pub(super) b: u32,
}

const THREE_FLOWS: &str = scenario!("three-sources", "with-smcc");
const BACKGROUND: &str = scenario!("theorem2", "with-smcc");

/// R_a and R_b in Mb/s.
pub(super) const A: [u32; 4] = [16, 64, 256, 1024];
pub(super) const B: [u32; 5] = [10, 40, 160, 640, 2560];

macro_rules! row {
    ($b:literal) => {
        [setting!(16, $b), setting!(64, $b), setting!(256, $b), setting!(1024, $b)]
    };
}

macro_rules! setting {
    ($a:literal, $b:literal) => {
        Setting { name: concat!($a, "-", $b), label: concat!("R_a ", $a, ", R_b ", $b), a: $a, b: $b }
    };
}

/// By R_b, then by R_a.
pub(super) static MAP: [[Setting; 4]; 5] = [row!(10), row!(40), row!(160), row!(640), row!(2560)];

pub(super) fn settings() -> impl Iterator<Item = &'static Setting> {
    MAP.iter().flatten()
}

/// The setting of a pair.
pub(super) fn of(a: u32, b: u32) -> &'static Setting {
    settings().find(|setting| (setting.a, setting.b) == (a, b)).expect("one of R_a, and of R_b")
}

impl Setting {
    /// Three flows on a link of their own.
    pub(super) fn case(&self) -> Case {
        self.on(THREE_FLOWS)
    }

    /// Two flows beside a background of 875 Mb/s.
    pub(super) fn crowded(&self) -> Case {
        self.on(BACKGROUND).set("flows.2.traffic.constant.rate=\"875 Mb/s\"")
    }

    fn on(&self, network: &'static str) -> Case {
        Case::new(self.name, self.label, network)
            .set(format!("control.smcc.rp.state_a=\"{} Mb/s\"", self.a))
            .set(format!("control.smcc.rp.state_b=\"{} Mb/s\"", self.b))
    }
}
