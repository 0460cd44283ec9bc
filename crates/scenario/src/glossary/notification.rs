//! Congestion control.

use super::Term;

pub(super) const TERMS: &[Term] = &[
    Term::new(
        "active increase",
        &["AI", "R_AI"],
        "The phase of QCN's reaction point after fast recovery: each cycle raises the target rate by R_AI and moves the \
         current rate halfway to it.",
    )
    .keys(&["control.qcn.rp.active_increase"]),
    Term::new(
        "Averaging Principle",
        &["AP"],
        "Half a sampling interval after a rate change, the source reverts half of that change. This keeps the loop \
         stable at longer delays.",
    )
    .keys(&["control.aimd.rp.averaging"])
    .document("docs/algorithms/aimd.md"),
    Term::new(
        "byte counter",
        &["BC", "BC_LIMIT"],
        "Counts the bytes that a limited flow sends. Each time it reaches its limit, the reaction point completes a cycle of \
         recovery or increase.",
    )
    .keys(&["control.qcn.rp.byte_counter", "control.qcn.rp.byte_reset"]),
    Term::new(
        "CNP",
        &["congestion notification packet"],
        "DCQCN's notification: the receiver of marked frames sends it to their source. QCN's congestion notification \
         message comes from a bridge.",
    )
    .keys(&["control.dcqcn.np"])
    .document("docs/algorithms/dcqcn.md"),
    Term::new(
        "congestion notification message",
        &["CNM", "notification", "congestion notification", "BCN message"],
        "The frame in which a congestion point sends its feedback to the source of a sampled frame. It returns along the \
         sampled frame's path, at its own priority.",
    )
    .keys(&["control.qcn.notification_priority", "control.qcn.notification_size"]),
    Term::new(
        "congestion point",
        &["CP"],
        "The algorithm at a bridge queue: it samples frames, compares the queue with its set point, and notifies sources.",
    )
    .keys(&["control.qcn.cp", "control.qcn.placement"]),
    Term::new(
        "culprit",
        &["culprit array"],
        "A flow that a congestion point at an input holds responsible for its backlog. With `marking = \"random-occupancy\"` it \
         is the owner of an occupied unit of the buffer: the congestion point reads random words of the culprit array, which \
         has one word per unit, until it finds one; after `random_reads` reads it falls back to reading word by word.",
    )
    .keys(&["control.qcn.marking", "control.qcn.random_reads", "control.qcn.words_per_read"])
    .document("docs/algorithms/occupancy.md"),
    Term::new(
        "current rate",
        &["CR", "R_C"],
        "The rate to which a limiter currently limits its flow.",
    ),
    Term::new(
        "DCQCN",
        &[],
        "An end-to-end scheme for RoCEv2: bridges set ECN marks, the receiver answers with CNPs, and the source reduces its \
         rate.",
    )
    .keys(&["control.dcqcn"])
    .document("docs/algorithms/dcqcn.md"),
    Term::new(
        "DCTCP",
        &[],
        "An end-to-end scheme: a variant of TCP that reduces its window in proportion to the share of its packets \
         that carry ECN marks. Not modelled here.",
    ),
    Term::new(
        "ECN",
        &["explicit congestion notification"],
        "Marks that congested bridges or routers set in packets and that the receiver echoes to the source. DCQCN uses them.",
    )
    .keys(&["control.dcqcn.cp"])
    .document("docs/algorithms/dcqcn.md"),
    Term::new(
        "end-to-end schemes",
        &["end-to-end congestion control"],
        "Congestion control based on what end stations observe: marks (DCTCP, DCQCN), delays (TIMELY) or measurements that \
         bridges add to packets (HPCC). Of these, DCQCN, TIMELY and HPCC are modelled here. In QCN and its relatives, bridges notify \
         sources directly.",
    )
    .keys(&["control"]),
    Term::new(
        "fast recovery",
        &["FR"],
        "The phase of QCN's reaction point after a cut: each cycle moves the current rate halfway to the target rate, \
         which is the rate before the cut.",
    )
    .keys(&["control.qcn.rp.threshold"]),
    Term::new(
        "Fb",
        &["feedback", "F_b", "congestion measure"],
        "The feedback that a congestion point computes at a sample: Fb = -(q_off + w q_delta), where q_off is the \
         excess of the queue over its set point and q_delta is its growth since the last sample. Negative under \
         congestion.",
    )
    .keys(&["control.qcn.cp.set_point", "control.qcn.cp.weight"]),
    Term::new(
        "feedback implosion",
        &["implosion"],
        "Notifications for one multicast flow from many congestion points at once, which reduce its rate far too much.",
    )
    .keys(&["control.qcn.group_rule"])
    .document("docs/algorithms/multicast.md"),
    Term::new(
        "Gd",
        &["G_d", "rate decrease gain", "decrease factor"],
        "The gain of QCN's rate decrease: a notification reduces the current rate by the fraction Gd |Fb|, but by no \
         more than half.",
    )
    .keys(&["control.qcn.rp.gain", "control.qcn.rp.min_decrease_factor"]),
    Term::new(
        "HPCC",
        &[],
        "An end-to-end scheme: bridges add queue lengths and link loads to frames, receivers return them with \
         acknowledgements, and sources set windows and rates accordingly.",
    )
    .keys(&["control.hpcc"])
    .document("docs/algorithms/hpcc.md"),
    Term::new(
        "hyper-active increase",
        &["HAI", "R_HAI", "hyper increase"],
        "The phase of QCN's reaction point once the byte counter and the timer are both past fast recovery: the target rate grows by \
         R_HAI, times the number of cycles.",
    )
    .keys(&["control.qcn.rp.hyper_increase", "control.qcn.rp.hyper_phase"]),
    Term::new(
        "mark table",
        &["sampling table", "mark probability"],
        "The number of bytes between two samples of a congestion point, as a function of the last feedback: 150 kB without \
         congestion, down to 18.5 kB under the heaviest.",
    )
    .keys(&["control.qcn.cp.sampling", "control.qcn.cp.sample_base"]),
    Term::new(
        "quantised feedback",
        &["QntzFb", "qFb", "quantized feedback", "quantiser", "quantizer"],
        "Fb in six bits, 0 to 63, as carried in a notification. 63 represents the largest feedback, Qeq (2w + 1).",
    )
    .keys(&["control.qcn.cp.quantizer"]),
    Term::new(
        "rate limiter",
        &["RL", "limiter", "shaper", "pacer"],
        "Limits the sending rate of a flow to the rate set by the reaction point. A flow gets a limiter with its first \
         notification.",
    )
    .keys(&["control.qcn.limiters_per_station"]),
    Term::new(
        "reaction point",
        &["RP"],
        "The algorithm at an end station that sets the rate of a limiter: notifications lower it, the byte counter and the timer raise it.",
    )
    .keys(&["control.qcn.rp"]),
    Term::new(
        "sample",
        &["sampled frame"],
        "A frame for which a congestion point computes its feedback, about one in a hundred. Not to be confused with the \
         samples of a series, which are taken every `sample_interval`.",
    )
    .keys(&["control.qcn.cp.sampling", "control.qcn.sampled_frames", "sample_interval"]),
    Term::new(
        "set point",
        &["setpoint", "Qeq", "Q_eq", "equilibrium queue", "target queue"],
        "The queue length that congestion control aims for.",
    )
    .keys(&["control.qcn.cp.set_point", "control.smcc.cp.set_point", "control.bcn.cp.set_point"]),
    Term::new(
        "sliding mode",
        &["sliding mode control"],
        "Motion along the switching line of a system whose control law changes there. SMCC is designed to reach it.",
    )
    .keys(&["control.smcc"])
    .document("docs/algorithms/smcc.md"),
    Term::new(
        "target rate",
        &["TR", "R_T"],
        "The rate towards which a reaction point recovers: the rate it had before the last cut.",
    )
    .keys(&["control.qcn.rp.target_reduction"]),
    Term::new(
        "TIMELY",
        &[],
        "An end-to-end scheme: receivers acknowledge batches of frames, and sources set their rates by the round-trip time and \
         its changes.",
    )
    .keys(&["control.timely"])
    .document("docs/algorithms/timely.md"),
    Term::new(
        "w",
        &["W", "derivative weight"],
        "The weight of the queue's growth in the feedback, Fb = -(q_off + w q_delta).",
    )
    .keys(&["control.qcn.cp.weight"]),
];
