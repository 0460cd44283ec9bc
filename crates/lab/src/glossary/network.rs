//! Networks and traffic.

use super::Term;

pub(super) const TERMS: &[Term] = &[
    Term::new(
        "all-to-all",
        &["full mesh"],
        "A pattern of flows: every station sends to every other.",
    )
    .keys(&["flows.pattern"]),
    Term::new(
        "backlogged",
        &["greedy", "infinite source", "elephant"],
        "Of a source: it always has a frame to send.",
    )
    .keys(&["flows.traffic.backlogged"]),
    Term::new(
        "bottleneck",
        &[],
        "The port on a path to which more traffic comes than it can send, so that its queue grows.",
    ),
    Term::new(
        "bridge",
        &["switch"],
        "A node that forwards frames between its ports. Output-queued unless the scenario says otherwise; with `cioq` it \
         has input buffers and a crossbar, and a rack fabric is one bridge made of leaves and spines.",
    )
    .keys(&["bridge", "network.buffer"]),
    Term::new(
        "clock offset",
        &["drift", "clock drift", "phase locking", "phase effect", "ppm"],
        "By how much a station's clock is fast or slow, in parts per million (ppm). Ethernet allows ±100 ppm. With equal \
         clocks senders of one rate keep their order for ever, and a result can depend on it.",
    )
    .keys(&["network.clock_tolerance"]),
    Term::new(
        "crossbar",
        &["switch fabric", "VOQ", "virtual output queue"],
        "What connects inputs and outputs inside a bridge with input buffers. Frames wait at their input in virtual output \
         queues, one for each output, until the output grants them room.",
    )
    .keys(&["bridge.cioq", "bridge.cioq.speedup"]),
    Term::new(
        "drop-tail",
        &["tail drop"],
        "A queue that drops the arriving frame when its buffer is full. Queues without flow control do.",
    )
    .keys(&["network.buffer", "flow_control.none"]),
    Term::new(
        "ECMP",
        &["equal-cost multipath", "multipath", "multi-path", "load balancing", "flow hashing"],
        "Several shortest paths between two stations. Each flow takes one of them, chosen by a hash of the seed and the flow, \
         and all its frames stay on it; notifications go back the same way.",
    )
    .keys(&["topology.leaf_spine", "topology.fat_tree", "seed"]),
    Term::new(
        "end station",
        &["station", "host", "server", "endpoint", "NIC", "network adapter"],
        "A node that sends and receives. It has one port, a scheduler, and a rate limiter for each flow that was notified.",
    )
    .keys(&["topology.star.stations", "control.qcn.limiters_per_station"]),
    Term::new(
        "flow",
        &["connection", "stream", "queue pair", "QP"],
        "Frames of one priority from one station to another, or to a group, that are limited together. A flow of messages \
         sends one after another.",
    )
    .keys(&["flows"]),
    Term::new(
        "frame",
        &["packet", "MTU"],
        "The unit that crosses a link. Lengths count the whole Ethernet frame; `network.overhead` adds preamble and gap.",
    )
    .keys(&["network.frame", "network.overhead"]),
    Term::new(
        "group",
        &["multicast", "multicast group"],
        "Stations that all receive what is sent to the group, as copies made by bridges or as one flow for each of them.",
    )
    .keys(&["groups", "network.delivery"])
    .document("docs/algorithms/multicast.md"),
    Term::new(
        "hot-spots",
        &["hot spot", "hotspot"],
        "A pattern of flows: the stations of `from` are dealt out to those of `to` in turn, so that each of `to` receives \
         from as many.",
    )
    .keys(&["flows.pattern"]),
    Term::new(
        "incast",
        &["many-to-one", "fan-in"],
        "Many stations send to one at the same time. As a pattern of flows, all stations of `from` send to the one of `to`, \
         which is left out of the senders.",
    )
    .keys(&["flows.pattern"]),
    Term::new(
        "oversubscription",
        &["contention ratio"],
        "How much faster the links below a leaf are together than those above it. In a leaf-spine, \
         stations_per_leaf × access_rate / (spines × fabric_rate).",
    )
    .keys(&["topology.leaf_spine.spines", "topology.leaf_spine.fabric_rate"]),
    Term::new(
        "pairs",
        &[],
        "A pattern of flows: the first of `from` sends to the first of `to`, the second to the second; one name on either \
         side serves all of the other.",
    )
    .keys(&["flows.pattern"]),
    Term::new(
        "permutation",
        &[],
        "A pattern of flows: every station sends to one other and receives from one, drawn from the seed.",
    )
    .keys(&["flows.pattern"]),
    Term::new(
        "priority",
        &["traffic class", "CoS", "class of service", "PCP", "no-drop class"],
        "A number from 0 to 7 in each frame. Every port has a queue for each; 7 is served first. Congestion control and \
         PFC act on the priorities that they are given.",
    )
    .keys(&["network.priority", "flows.priority", "flow_control.pfc.priorities", "control.qcn.priorities"]),
    Term::new(
        "round-trip time",
        &["RTT", "base RTT"],
        "The time from a station to the bottleneck's queue and back on an empty network, without the time to send a frame. \
         Feedback cannot act sooner.",
    )
    .keys(&["topology.dumbbell.rtt"]),
];
