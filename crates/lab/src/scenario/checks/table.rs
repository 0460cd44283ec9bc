//! The checks by their codes, declared once: warnings, `setpoint explain` and docs/checks.md are made from this table.

use std::fmt::Write;

/// A check that can warn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// Its name, which stands in its warnings.
    pub code: &'static str,
    /// What it warns of, in one sentence.
    pub title: &'static str,
    /// Why that matters and what to do.
    pub explanation: &'static str,
}

macro_rules! checks {
    ($($name:ident = $code:literal, $title:literal, $explanation:literal;)*) => {
        $(pub(super) const $name: &Check =
            &Check { code: $code, title: $title, explanation: $explanation };)*
        /// All checks, in alphabetical order.
        pub(super) const ALL: &[&Check] = &[$($name),*];
        /// Their codes.
        pub(crate) const CODES: &[&str] = &[$($code),*];
    };
}

checks! {
    FEEDBACK_CANNOT_SATURATE = "feedback-cannot-saturate",
        "The set point is so near the buffer's limit that the feedback never reaches the upper end of its range.",
        "QCN's feedback is Fb = -(q_off + w q_delta), where q_off is the queue above its set point Qeq and q_delta its growth \
         since the last sample; it is negative under congestion, and |Fb| is quantised up to (1 + 2 w) Qeq. A queue that cannot \
         grow to twice the set point never gives the largest feedback, not even if it fills from empty to full between two \
         samples. Sources then slow down less than the parameters promise, and a full buffer asks for little. Lower the set \
         point to at most half of the buffer, or enlarge the buffer.";
    HEADROOM_TOO_SMALL = "headroom-too-small",
        "A fixed `headroom` is less than a link needs in the worst case.",
        "After a bridge has decided to pause a link, frames still arrive: docs/flow-control.md derives how many. With less \
         room the run stops at the first frame that finds none. Use `headroom = \"auto\"`, or at least what the warning \
         names.";
    OFFERED_ABOVE_CAPACITY = "offered-above-capacity",
        "Flows with a rate of their own offer more to a port than it can send.",
        "The rates of constant, on-off and Poisson flows are added up over their routes, with preamble and gap. What a \
         port cannot send is dropped at the bridge or, under flow control, waits at the sources, which fall behind more and \
         more, so that delays and completion times depend on how long the run lasts. Lower the rates, or use backlogged flows if saturation is what you want.";
    PAUSE_LAPSES = "pause-lapses",
        "Pauses of a link run out before they can be renewed.",
        "A pause lasts `quanta` times 512 bit times at the sender's rate. The frame that renews it may have to wait for \
         the longest frame on the way back. Where that takes longer than the pause, the sender transmits in between, and \
         the input fills over the whole run. `headroom = \"auto\"` gives as much as this run can need, which no real bridge \
         may have. Use more `quanta`, shorter frames or a faster link back.";
    PFC_WITHOUT_FLOWS = "pfc-without-flows",
        "PFC protects a priority that no flow has.",
        "Nothing is paused for such a priority, while flows of other priorities can lose frames. Give the flows a \
         priority that PFC protects, or name theirs in `flow_control.pfc.priorities`.";
    PRESET_MISMATCH = "preset-mismatch",
        "The preset of the congestion control is meant for links of another speed.",
        "Increase steps, byte counters and timers scale with the speed of the links. With a preset for another speed sources \
         recover too slowly or overshoot. Choose the preset of the links' speed, or set the parameters one by one.";
    ROUTES_CAN_DEADLOCK = "routes-can-deadlock",
        "The routes of the flows close a cycle of buffers that can lock under flow control.",
        "Each input of the cycle holds frames for the next one and waits until that has room. If all of them fill, none \
         can drain, and the ports of the cycle never send again. Routes without cycles (up and down a tree, for example) \
         cannot deadlock.";
    SET_POINT_ABOVE_XOFF = "set-point-above-xoff",
        "The set point of the congestion control is above the threshold of flow control.",
        "An input above `xoff` pauses its sender. A queue that is fed by one such input is held below the set point, so \
         that the congestion point hardly ever notifies anybody, and flow control does all the work. Lower the set point \
         or raise `xoff`.";
}

/// All checks, in alphabetical order.
#[must_use]
pub fn checks() -> &'static [&'static Check] {
    ALL
}

/// docs/checks.md.
#[must_use]
pub fn checks_reference() -> String {
    let mut text = String::from(
        "# Plausibility checks\n\n\
         `setpoint check`, `run` and `sweep` warn about scenarios that can run but probably do not mean what they say. A warning \
         has a code, points at its place in the file where there is one, and names a remedy. `setpoint check --strict` treats \
         warnings as errors (exit code 2), `--quiet` hides them in `run` and `sweep`, and `setpoint explain CODE` prints what \
         stands here. To silence a check on purpose, set `allow_warnings = [\"routes-can-deadlock\"]` in the scenario.\n\n\
         This page is generated from the program's table of checks.\n",
    );
    for check in ALL {
        let _ = write!(text, "\n## {}\n\n{}\n\n{}\n", check.code, check.title, check.explanation);
    }
    text
}
