//! Lossless Ethernet.

use super::Term;

pub(super) const TERMS: &[Term] = &[
    Term::new(
        "congestion tree",
        &["congestion spreading", "pause propagation", "pause storm"],
        "All ports that are paused because of one congested port, the root. The inputs of its bridge pause the bridges \
         upstream, and their inputs in turn pause the next bridges.",
    )
    .keys(&["flow_control"])
    .document("docs/results.md"),
    Term::new(
        "deadlock",
        &["PFC deadlock", "cyclic buffer dependency", "CBD"],
        "Ports that wait for each other in a cycle, so that none can ever resume. It requires routes with cyclic buffer \
         dependencies.",
    )
    .keys(&["flow_control.pfc"])
    .document("docs/results.md"),
    Term::new(
        "dynamic threshold",
        &["DT", "dynamic queue length threshold", "alpha", "dynamic_th", "Choudhury-Hahne"],
        "A limit on the space that one input or queue may use of a shared buffer: α times the space that is free. It falls as \
         others fill the buffer. n users that all want more each hold α / (1 + n α) of the shared pool.",
    )
    .keys(&["bridge.shared_buffer.alpha", "bridge.shared_buffer.egress_alpha"])
    .document("docs/flow-control.md"),
    Term::new(
        "head-of-line blocking",
        &["HOL blocking", "HOL", "HoL"],
        "A frame waits even though its own output is free, because a frame ahead of it, or a paused link, waits for another \
         output.",
    )
    .keys(&["bridge.cioq", "flow_control"]),
    Term::new(
        "headroom",
        &["PFC headroom", "skid buffer"],
        "Room above XOFF for the data that still arrives after the decision to pause: data on the link, the frame that the \
         sender has already begun, and data sent while the pause frame travels. \"auto\" computes it for each link.",
    )
    .keys(&["flow_control.pfc.headroom", "flow_control.pause.headroom"]),
    Term::new(
        "headroom pool",
        &["headroom oversubscription", "over_subscribe_ratio", "shared headroom pool", "SHP"],
        "The part of a shared buffer from which inputs take their headroom. With at least the sum of all headrooms, no frame is \
         lost; a smaller pool is oversubscribed, and frames are lost if too many inputs use their headroom at the same time.",
    )
    .keys(&["bridge.shared_buffer.headroom_pool"])
    .document("docs/flow-control.md"),
    Term::new(
        "lossless",
        &["no-drop", "lossless Ethernet", "DCB", "data center bridging", "RoCE", "RoCEv2", "RDMA"],
        "No frame is dropped because of a full buffer: flow control pauses senders in time. RDMA over Ethernet (RoCE) and storage rely \
         on it. A run stops if a frame of a lossless priority is lost.",
    )
    .keys(&["flow_control.pfc.priorities"]),
    Term::new(
        "PAUSE frame",
        &["802.3x", "link-level flow control", "LLFC", "global pause"],
        "IEEE 802.3x: a bridge asks the sender at the other end of a link to stop sending, on all priorities, for a number of quanta.",
    )
    .keys(&["flow_control.pause"]),
    Term::new(
        "pause quantum",
        &["pause time", "refresh"],
        "512 bit times, the unit of pause duration. A longer pause is renewed before it expires.",
    )
    .keys(&["flow_control.pfc.quanta", "flow_control.pause.quanta"]),
    Term::new(
        "PFC",
        &["priority-based flow control", "priority flow control", "802.1Qbb", "PPP"],
        "IEEE 802.1Qbb: PAUSE for individual priorities. The other priorities continue, and their frames may be dropped.",
    )
    .keys(&["flow_control.pfc"]),
    Term::new(
        "victim",
        &["victim flow", "innocent flow", "collateral damage"],
        "A flow that was delayed by congestion it did not cause: while it had data to send, a link on its path was paused \
         because of a port that is not on its path.",
    )
    .document("docs/results.md"),
    Term::new(
        "XOFF",
        &["pause threshold"],
        "The upper of two thresholds on an input's occupancy: above XOFF the bridge pauses the sender on that link, and at or \
         below XON it lets the sender resume.",
    )
    .keys(&["flow_control.pfc.xoff", "flow_control.pause.xoff"]),
    Term::new(
        "XON",
        &["resume threshold"],
        "The lower of two thresholds of an input's occupancy: at or below XON the bridge lets a sender that it paused \
         above XOFF resume.",
    )
    .keys(&["flow_control.pfc.xon", "flow_control.pause.xon"]),
];
