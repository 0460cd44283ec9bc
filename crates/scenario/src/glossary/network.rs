//! Networks and traffic.

use super::Term;

pub(super) const TERMS: &[Term] = &[
    Term::new(
        "all-to-all",
        &["full mesh"],
        "A pattern of flows: every station sends to every other station.",
    )
    .keys(&["flows.pattern"]),
    Term::new(
        "backlogged",
        &["greedy", "infinite source", "elephant"],
        "A backlogged source always has a frame to send.",
    )
    .keys(&["flows.traffic.backlogged"]),
    Term::new(
        "bottleneck",
        &[],
        "The port on a path that receives more traffic than it can send, so its queue grows.",
    ),
    Term::new(
        "bridge",
        &["switch"],
        "A node that forwards frames between its ports. It is output-queued by default; with `cioq` it has \
         input buffers and a crossbar, and a rack fabric is one bridge that consists of leaves and spines.",
    )
    .keys(&["bridge", "network.buffer"]),
    Term::new(
        "clock offset",
        &["drift", "clock drift", "phase locking", "phase effect", "ppm"],
        "The relative error of a station's clock, in parts per million (ppm). Ethernet allows ±100 ppm. With equal clocks, \
         senders with equal rates stay in the same order, and a result can depend on that order.",
    )
    .keys(&["network.clock_tolerance"]),
    Term::new(
        "collective operation",
        &["collective", "all-reduce", "all-gather", "reduce-scatter", "MPI", "NCCL"],
        "An operation in which all ranks of a job exchange data, such as an all-reduce: every rank ends with the sum of the data \
         of all ranks. Its messages wait for each other, so one late message can delay all ranks.",
    )
    .keys(&["jobs", "jobs.kind"])
    .document("docs/collectives.md"),
    Term::new(
        "crossbar",
        &["switch fabric", "VOQ", "virtual output queue"],
        "The connection between inputs and outputs inside a bridge with input buffers. Frames wait at their input in virtual \
         output queues, one per output, until the output grants them room.",
    )
    .keys(&["bridge.cioq", "bridge.cioq.speedup"]),
    Term::new(
        "drop-tail",
        &["tail drop"],
        "A queue that drops arriving frames when its buffer is full, as all queues without flow control do.",
    )
    .keys(&["network.buffer", "flow_control.none"]),
    Term::new(
        "ECMP",
        &["equal-cost multipath", "multipath", "multi-path", "load balancing", "flow hashing"],
        "Several shortest paths between two stations. A hash of the seed and the flow chooses one of them for each flow, and \
         all its frames take it; notifications take the same path back.",
    )
    .keys(&["topology.leaf_spine", "topology.fat_tree", "seed"]),
    Term::new(
        "end station",
        &["station", "host", "server", "endpoint", "NIC", "network adapter"],
        "A node that sends and receives frames. It has one port, a scheduler, and a rate limiter for each notified \
         flow.",
    )
    .keys(&["topology.star.stations", "control.qcn.limiters_per_station"]),
    Term::new(
        "enhanced transmission selection",
        &["ETS", "802.1Qaz", "DWRR", "deficit weighted round robin", "WRR", "traffic class scheduling"],
        "The division of a port's bandwidth among priorities by weights. Priorities without a weight are strict and are \
         served first; bandwidth that a priority does not use is available to the others.",
    )
    .keys(&["scheduling.ets"]),
    Term::new(
        "failed link",
        &["link failure", "link down", "link flap", "broken cable"],
        "A link that loses all frames. Routes avoid it after a delay. Losses on failed links are counted separately \
         from frames that congestion drops.",
    )
    .keys(&["network.rerouting_delay"])
    .document("docs/failures.md"),
    Term::new(
        "flow",
        &["connection", "stream", "queue pair", "QP"],
        "Frames of one priority from one station to another, or to a group, that are limited together. A flow sends its \
         messages one after another.",
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
        "Stations that all receive the frames sent to the group, as copies made by bridges or as one flow per station.",
    )
    .keys(&["groups", "network.delivery"])
    .document("docs/algorithms/multicast.md"),
    Term::new(
        "hot-spots",
        &["hot spot", "hotspot"],
        "A pattern of flows: the stations of `from` are assigned to those of `to` in turn, so that each station of `to` \
         receives from the same number of senders.",
    )
    .keys(&["flows.pattern"]),
    Term::new(
        "incast",
        &["many-to-one", "fan-in"],
        "Many stations send to one station at the same time. As a pattern of flows, all stations of `from` send to \
         the one station of `to`, which is not among the senders. If each sends one message, the time until the last is \
         complete is the query completion time.",
    )
    .keys(&["flows.pattern"]),
    Term::new(
        "oversubscription",
        &["contention ratio"],
        "The total rate of the links below a leaf divided by the total rate of the links above it. In a leaf-spine, \
         stations_per_leaf × access_rate / (spines × fabric_rate).",
    )
    .keys(&["topology.leaf_spine.spines", "topology.leaf_spine.fabric_rate"]),
    Term::new(
        "pairs",
        &[],
        "A pattern of flows: the first of `from` sends to the first of `to`, the second to the second, and so on; a single \
         name on one side is paired with all names on the other.",
    )
    .keys(&["flows.pattern"]),
    Term::new(
        "permutation",
        &[],
        "A pattern of flows: every station sends to one other station and receives from one, chosen at random \
         according to the seed.",
    )
    .keys(&["flows.pattern"]),
    Term::new(
        "priority",
        &["traffic class", "CoS", "class of service", "PCP", "no-drop class"],
        "A number from 0 to 7 in each frame. Every port has a queue per priority; 7 is served first, unless priorities have weights (ETS). Congestion control and \
         PFC act on the priorities configured for them.",
    )
    .keys(&["network.priority", "flows.priority", "flow_control.pfc.priorities", "control.qcn.priorities"]),
    Term::new(
        "round-trip time",
        &["RTT", "base RTT"],
        "The time from a station to the bottleneck's queue and back on an empty network, excluding frame transmission times. \
         Feedback cannot act sooner.",
    )
    .keys(&["topology.dumbbell.rtt"]),
];
