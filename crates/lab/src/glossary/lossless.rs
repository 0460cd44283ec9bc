//! Lossless Ethernet.

use super::Term;

pub(super) const TERMS: &[Term] = &[
    Term::new(
        "congestion tree",
        &["congestion spreading", "pause propagation", "pause storm"],
        "All ports that are paused because of one congested port, the root: its inputs pause the bridges before it, whose inputs \
         pause those before them.",
    )
    .keys(&["flow_control"])
    .document("docs/results.md"),
    Term::new(
        "deadlock",
        &["PFC deadlock", "cyclic buffer dependency", "CBD"],
        "Ports that wait for each other in a cycle, so that none can ever resume. It needs routes whose buffers depend on each \
         other in a cycle.",
    )
    .keys(&["flow_control.pfc"])
    .document("docs/results.md"),
    Term::new(
        "head-of-line blocking",
        &["HOL blocking", "HOL", "HoL"],
        "A frame waits although its own output is free, because the frame before it, or a paused link, is held for another \
         output.",
    )
    .keys(&["bridge.cioq", "flow_control"]),
    Term::new(
        "headroom",
        &["PFC headroom", "skid buffer"],
        "Room above XOFF for what still arrives after a pause was decided: what is on the link, what its sender has begun, and \
         what is sent while the pause travels. \"auto\" works it out for each link.",
    )
    .keys(&["flow_control.pfc.headroom", "flow_control.pause.headroom"]),
    Term::new(
        "lossless",
        &["no-drop", "lossless Ethernet", "DCB", "data center bridging", "RoCE", "RoCEv2", "RDMA"],
        "No frame is dropped for lack of room: flow control pauses senders in time. RDMA over Ethernet (RoCE) and storage rely \
         on it. A run stops if a frame of a lossless priority is lost.",
    )
    .keys(&["flow_control.pfc.priorities"]),
    Term::new(
        "PAUSE frame",
        &["802.3x", "link-level flow control", "LLFC", "global pause"],
        "IEEE 802.3x: a bridge tells the sender of a link to stop, all priorities together, for a number of quanta.",
    )
    .keys(&["flow_control.pause"]),
    Term::new(
        "pause quantum",
        &["pause time", "refresh"],
        "512 bit times, the unit in which a pause lasts. A pause that must last longer is renewed before it runs out.",
    )
    .keys(&["flow_control.pfc.quanta", "flow_control.pause.quanta"]),
    Term::new(
        "PFC",
        &["priority-based flow control", "priority flow control", "802.1Qbb", "PPP"],
        "IEEE 802.1Qbb: as PAUSE, for single priorities. The others go on, and may be dropped.",
    )
    .keys(&["flow_control.pfc"]),
    Term::new(
        "victim",
        &["victim flow", "innocent flow", "collateral damage"],
        "A flow that had something to send and was delayed by congestion to which it did not contribute: a link on its path was \
         paused because of a port that is not on its path.",
    )
    .document("docs/results.md"),
    Term::new(
        "XOFF",
        &["pause threshold"],
        "The upper of two thresholds of an input's occupancy: above XOFF the bridge pauses the sender of that link, and at or \
         below XON it lets the sender resume.",
    )
    .keys(&["flow_control.pfc.xoff", "flow_control.pause.xoff"]),
    Term::new(
        "XON",
        &["resume threshold"],
        "The lower of two thresholds of an input's occupancy: at or below XON the bridge lets a sender resume that it paused \
         above XOFF.",
    )
    .keys(&["flow_control.pfc.xon", "flow_control.pause.xon"]),
];
