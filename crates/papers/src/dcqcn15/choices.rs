//! The points that the paper leaves open, or in which it differs from later papers on DCQCN.

use crate::prelude::*;

pub(super) static REPORTS: Choice = Choice {
    name: "notification-point",
    question: "How does a receiver treat marks that arrive less than 50 us after a CNP of the same flow?",
    text: "Section 3.1: “If a marked packet arrives for a flow, and no CNP has been sent for the flow in last N \
        microseconds, a CNP is sent immediately. Then, the NIC generates at most one CNP packet every N microseconds for \
        the flow, if any packet that arrives within that time window was marked.” Figure 6 agrees. The CoNEXT paper \
        (2016, section 3.1) gives only the first rule.",
    why: "The second sentence and figure 6 say that a mark within the window causes a CNP at its end.",
    options: &[
        reading("deferred", "CNPs at the end of the interval", &["control.dcqcn.np.reports=deferred"]),
        reading("ignored", "marks ignored for 50 us after a CNP", &["control.dcqcn.np.reports=paced"]),
    ],
};

pub(super) static MARKING: Choice = Choice {
    name: "marking",
    question: "Are frames marked as they enter or as they leave the queue?",
    text: "Section 3.1: “At an egress queue, an arriving packet is ECN-marked if the queue length exceeds a threshold.” \
        In ns3-rdma, the simulator of the CoNEXT paper (2016), frames are marked as they leave.",
    why: "The sentence speaks of an arriving packet.",
    options: &[
        reading("arrival", "frames marked on arrival", &["control.dcqcn.cp.marking=enqueue"]),
        reading("departure", "frames marked on departure", &["control.dcqcn.cp.marking=dequeue"]),
    ],
};

pub(super) static FRAME: Choice = Choice {
    name: "frame",
    question: "How long are the frames?",
    text: "Section 4 assumes an MTU of 1500 B, and section 3.3 speaks of “full-sized (1500 byte MTU) packets”. The paper \
        does not give the length of its frames. Payloads of RoCEv2 are limited to 256, 512, 1024, 2048 or 4096 B, of which \
        1024 B is the largest that fits into this MTU.",
    why: "1500 B is the only length in the paper.",
    options: &[
        reading("mtu", "frames of 1500 B", &["network.frame=\"1500 B\""]),
        reading("1000-b", "frames of 1000 B", &["network.frame=\"1000 B\""]),
    ],
};
