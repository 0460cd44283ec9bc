//! The checks and their codes, declared once: warnings, `setpoint explain` and docs/checks.md are generated from this
//! table.

use std::fmt::Write;

/// A check that can warn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// Its name, as shown in its warnings.
    pub code: &'static str,
    /// The problem that it reports, in one sentence.
    pub title: &'static str,
    /// The consequences of the problem, and the remedy.
    pub explanation: &'static str,
}

macro_rules! checks {
    ($($name:ident = $code:literal, $title:literal, $explanation:literal;)*) => {
        $(pub(crate) const $name: &Check =
            &Check { code: $code, title: $title, explanation: $explanation };)*
        /// All checks, in alphabetical order.
        pub(crate) const ALL: &[&Check] = &[$($name),*];
        /// Their codes.
        pub(crate) const CODES: &[&str] = &[$($code),*];
    };
}

checks! {
    AFTER_THE_END = "after-the-end",
        "Flows, messages of a list or changes begin at or after the end of the run.",
        "They do not take place. This happens when `duration` is shortened but other times are not. Increase \
         `duration`, or remove these flows, messages and changes.";
    BUFFER_WITHOUT_EFFECT = "buffer-without-effect",
        "`network.buffer` is set, but does not limit the queue of any flow.",
        "In output-queued bridges, a priority under PAUSE or PFC is limited by the thresholds and headroom of the inputs, and \
         its frames are never dropped: an output queue may grow to the sum of all inputs, regardless of `network.buffer`. If all flows have \
         such a priority, results do not depend on the key (it still limits the queue of notifications). Remove it, or, to compare the memory of a \
         bridge with what its inputs reserve, set `flow_control.pfc.buffer`. In bridges with a shared buffer, its `size` and thresholds limit all \
         queues.";
    ETS_WITHOUT_EFFECT = "ets-without-effect",
        "Priorities have weights, but at most one of the weighted priorities carries flows.",
        "Enhanced transmission selection divides a link among weighted priorities that have frames at the same time. With fewer than \
         two of them in use, results are the same as under strict priority. Assign another `priority` to the flows, or weights to \
         the priorities that they use.";
    FEEDBACK_CANNOT_SATURATE = "feedback-cannot-saturate",
        "The set point is so close to the buffer size that the feedback never reaches the upper end of its range.",
        "QCN's feedback is Fb = -(q_off + w q_delta), where q_off is the amount by which the queue exceeds its set \
         point Qeq and q_delta is its growth since the last sample; Fb is negative under congestion, and |Fb| is \
         quantised up to (1 + 2 w) Qeq. A queue that cannot grow to twice the set point never produces the largest \
         feedback, even if it fills from empty to full between two samples. Sources then slow down less than the parameters \
         suggest, even when the buffer is full. Lower the set point to at most half the buffer size, or \
         enlarge the buffer.";
    HEADROOM_POOL_OVERSUBSCRIBED = "headroom-pool-oversubscribed",
        "The headroom pool of a shared buffer is smaller than the sum of the headrooms that its inputs need.",
        "Each input uses headroom only while its sender is being paused, so a smaller pool is often enough, and switches are often \
         configured that way. But such a pool can be exhausted: if as many inputs as the warning states use their headroom at the \
         same time, the run stops at the first frame that does not fit. Use `headroom_pool = \"auto\"`, or at least the value in the warning.";
    HEADROOM_TOO_SMALL = "headroom-too-small",
        "A fixed `headroom` is less than a link needs in the worst case.",
        "After a bridge has decided to pause a link, frames still arrive: docs/flow-control.md derives how many. With less \
         headroom the run stops at the first frame that does not fit. Use `headroom = \"auto\"`, or at least the value in the \
         warning.";
    IDEAL_HEADROOM = "ideal-headroom",
        "A buffer size is set by hand, but assumes ideal senders, interfaces or frames.",
        "By default, senders obey a pause at once, MAC and PHY have no delay, frames are 1000 B long, and there are no gaps \
        between them. The headroom \
         that a real bridge needs is larger. Set `response_time` and `network.interface_delay` to the delays of your \
         equipment or to \"802.3\", the largest that the standard allows; `network.overhead` to \"20 B\"; `network.frame` to the longest frame; and \
         delays of links to the lengths of their cables, such as \"100 m\". The check applies if `headroom` or the `buffer` of flow control is set.";
    INACTIVE_MECHANISM = "inactive-mechanism",
        "A mechanism that the scenario configures did nothing during the run.",
        "No frame was marked, no notification was sent or received, no limiter was created, or no port was paused. An algorithm whose \
         sources decide by acknowledgements alone, such as TIMELY, did nothing if no acknowledgement arrived or none lowered a rate or a window. \
         Such a run shows nothing about the mechanism, and runs that differ only in its parameters give the same result. For flow control, this is \
         often intended. If it is not, check thresholds, the load, the duration, and the priorities under control.";
    LINK_FAILURE_CUTS_OFF = "link-failure-cuts-off",
        "While links are down, some flows have no path to their destination.",
        "All paths of these flows, including longer ones, use a link that has failed, so their frames are lost until it recovers. A station whose own link \
         has failed holds its frames instead. Flows to groups are not checked: they keep their path in any case. If the flows should survive the failure, add a second path.";
    LOST_ON_FAILED_LINKS = "lost-on-failed-links",
        "Links that failed lost frames during the run.",
        "These losses are not caused by congestion, so they do not count as dropped frames, and they do not stop a run under flow control. Frames are \
         not retransmitted: a message that has lost a frame never completes and counts as damaged. Statistics of completion times leave \
         such messages out or treat them as lower bounds, see docs/results.md.";
    OFFERED_ABOVE_CAPACITY = "offered-above-capacity",
        "Flows with a configured rate offer a port more traffic than it can send.",
        "The rates of constant, on-off, Poisson and periodic flows are added up over their routes, including preamble and \
         gap. The excess is dropped at the bridge or, under flow control, accumulates at the sources, so delays and \
         completion times depend on the duration of the run. Lower the rates, or use backlogged flows if saturation is intended.";
    PAUSE_LAPSES = "pause-lapses",
        "Pauses on a link expire before they can be renewed.",
        "A pause lasts `quanta` times 512 bit times at the sender's rate. The frame that renews it may have to wait for \
         the longest frame in the opposite direction. If that takes longer than the pause, the sender transmits in between, \
         and the input fills up in the course of the run. `headroom = \"auto\"` provides as much as this run can \
         need, which may be more than any real bridge has. Use more `quanta`, shorter frames or a faster link in the \
         opposite direction.";
    PAUSES_BEFORE_FEEDBACK = "pauses-before-feedback",
        "Flow control paused a port before congestion control notified a source or, with acknowledgements, lowered a rate or a window.",
        "Congestion control is meant to keep queues so short that flow control rarely acts. If pauses come first, they hide \
         the congestion from it: the queue grows at the paused port, in the upstream bridge. Lower the set point or the marking thresholds, or raise \
         the thresholds of flow control. When many flows start at line rate together, pauses before the first \
         notification cannot be avoided.";
    PFC_WITHOUT_FLOWS = "pfc-without-flows",
        "PFC protects a priority that no flow uses.",
        "Such a priority is never paused, while flows of other priorities can lose frames. Give the flows a \
         priority that PFC protects, or add their priority to `flow_control.pfc.priorities`.";
    PRESET_MISMATCH = "preset-mismatch",
        "The preset of the congestion control algorithm is meant for another link speed.",
        "Increase steps, byte counters and timers scale with the link speed. With a preset for another speed, sources \
         recover too slowly or overshoot. Choose the preset for the link speed, or set the parameters individually.";
    RESERVED_ABOVE_BUFFER = "reserved-above-buffer",
        "The inputs of a bridge reserve more memory than the bridge has.",
        "Every link under PAUSE or PFC needs room for its threshold and headroom (under PFC, for those of each protected priority). If the \
         sum over the inputs of a bridge exceeds its memory (`flow_control.pfc.buffer` or `flow_control.pause.buffer`), a real bridge with static \
         thresholds would lose frames when all inputs fill up; the simulator does not enforce this limit. Lower `xoff`, protect fewer \
         priorities, or use shorter cables or frames.";
    ROUTES_CAN_DEADLOCK = "routes-can-deadlock",
        "The routes of the flows form a cycle of buffers that can deadlock under flow control.",
        "Each input in the cycle holds frames for the next one and waits for room there. If all of them fill up, none \
         can drain, and the ports in the cycle never send again. Routes without cycles (up and down a tree, for example) \
         cannot deadlock.";
    SET_POINT_ABOVE_XOFF = "set-point-above-xoff",
        "The set point of congestion control is above the `xoff` threshold of flow control.",
        "An input above `xoff` pauses its sender. A queue that is fed by one such input stays below the set point, so \
         the congestion point hardly ever sends notifications, and flow control does all the work. Lower the set \
         point or raise `xoff`.";
    TARGET_WITHIN_IDLE_PATH = "target-within-idle-path",
        "The round-trip time that sources aim at is not longer than that of the idle path.",
        "TIMELY and Swift compare round-trip times with fixed targets, whose defaults suit the networks of their sources. If a \
         frame and its acknowledgement take as long even without any queue, a source takes the length of the path for \
         congestion: Swift then uses only a part of the link, and TIMELY never gets the increments that it makes below its \
         lower threshold. Set `delay = \"queueing\"`, so that only the time in queues counts, or raise the target.";
}

/// All checks, in alphabetical order.
pub fn checks() -> &'static [&'static Check] {
    ALL
}

/// docs/checks.md.
pub fn checks_reference() -> String {
    let mut text = String::from(
        "# Plausibility checks\n\n\
         `setpoint check`, `run` and `sweep` warn about scenarios that can run but are probably not what you intended. A warning \
         has a code, shows the line in the file if there is one, and suggests a remedy. `setpoint check --strict` treats \
         warnings as errors (exit code 2), `--quiet` hides them in `run` and `sweep`, and `setpoint explain CODE` prints the \
         section about that code on this page. Results store the warnings (manifest.json, sweep.json), and reports, pages of sweeps \
         and comparisons show them. To silence a check, set \
         `allow_warnings = [\"routes-can-deadlock\"]` in the scenario.\n\n\
         This page is generated from the program's table of checks.\n",
    );
    for check in ALL {
        let _ = write!(text, "\n## {}\n\n{}\n\n{}\n", check.code, check.title, check.explanation);
    }
    text
}
