//! What crosses the network, and what happens on the way.

use super::{Field, Shape};

const ANY_RATE: Shape = Shape::Rate(&[]);
const ANY_SIZE: Shape = Shape::Size(&[]);
/// Largest weight of a flow.
pub(crate) const MAX_WEIGHT: u64 = 65_535;
/// How flows are laid between stations.
pub(crate) const PATTERNS: &[&str] = &["pairs", "incast", "hot-spots", "permutation", "all-to-all", "shift"];

pub(super) fn fields() -> Vec<Field> {
    vec![
        Field::derived(
            "flows",
            Shape::Entries(flow()),
            "in a dumbbell: every sender backlogged to its receiver",
            "Flows; one entry can make many.",
        ),
        Field::derived(
            "at",
            Shape::Entries(change()),
            "nothing happens",
            "Something that changes at a time.",
        ),
    ]
}

fn flow() -> Vec<Field> {
    let mut fields = vec![
        Field::required(
            "from",
            Shape::Names,
            "Sending stations: a name, a pattern (`*` any text, `?` any character, `{1..8}` any of these \
             numbers, `{1..8..2}` every second of them) or a list of them.",
        ),
        Field::derived(
            "to",
            Shape::Names,
            "for permutation, all-to-all and shift: the senders",
            "Receiving stations. In pairs, the first of `from` sends to the first of `to` and so on; a \
             single one on either side is paired with all of the other.",
        ),
        Field::derived(
            "group",
            Shape::Text,
            "none",
            "In place of `to`: the group that receives. Each of the senders sends to all its members.",
        ),
        Field::value(
            "pattern",
            Shape::Choice(PATTERNS),
            "pairs",
            "Who sends to whom: pairs; incast (all to one, which is left out of the senders); hot-spots \
             (the senders are dealt out to the receivers in turn, so that each receives from as many); permutation \
             (at random, everyone to one and from one); all-to-all; shift (each to the one `shift` places on, or to \
             `fan_out` of them).",
        ),
        Field::derived(
            "shift",
            Shape::Integer(1, super::topology::MAX_NODES),
            "none",
            "How many places on, for the pattern shift.",
        ),
        Field::value(
            "fan_out",
            Shape::Integer(1, super::topology::MAX_NODES),
            "1",
            "For the pattern shift, how many stations each sends to: those `shift`, 2 × `shift`, … places on. Each \
             then receives from as many, so that the load is the same everywhere.",
        ),
        Field::value("traffic", Shape::OneOf(traffic()), "backlogged", "What there is to send."),
        Field::value("start", Shape::Time, "0 s", "When the flows start."),
        Field::value(
            "stagger",
            Shape::Time,
            "0 s",
            "Each flow of the entry starts this much after the one before.",
        ),
        Field::derived("stop", Shape::Time, "never", "When the flows stop offering frames."),
    ];
    fields.extend([
        Field::value(
            "weight",
            Shape::Integer(1, MAX_WEIGHT),
            "1",
            "Share of the station's port among its flows that wait for it, and of a link where congestion points \
             divide it by weights (AF-QCN, AFD).",
        ),
        Field::derived(
            "max",
            ANY_RATE,
            "none",
            "The most that congestion points which divide a link are to give the flow or its tenant. Nothing holds \
             the sender to it, as `cap` does.",
        ),
        Field::derived(
            "tenant",
            Shape::Text,
            "each flow its own",
            "Flows with the same tenant are counted together by congestion points that divide a link; they have one \
             `weight` and one `max` in common.",
        ),
        Field::derived("cap", ANY_RATE, "none", "The most each flow may send at."),
        Field::value(
            "controlled",
            Shape::Flag,
            "true",
            "Whether the sender is notified and its rate limited. With false, for background traffic, congestion \
             points still count and sample its frames like any others, and send no notification for them.",
        ),
        Field::derived("frame", ANY_SIZE, "network.frame", "Length of a full frame."),
        Field::derived("priority", Shape::Integer(0, 7), "network.priority", "Priority of the frames."),
        Field::derived(
            "name",
            Shape::Text,
            "f1, f2, … through all entries",
            "Name of the flow; with a number added where the entry makes several.",
        ),
    ]);
    fields
}

fn traffic() -> Vec<Field> {
    let on_off = vec![
        Field::required("burst", ANY_SIZE, "Bytes in a burst, sent at the port's rate."),
        Field::required("rate", ANY_RATE, "Mean rate over bursts and silence; below the port's rate."),
        Field::value(
            "silence",
            Shape::Choice(&["exponential", "fixed"]),
            "exponential",
            "Whether the time between bursts is random or always its mean.",
        ),
    ];
    let poisson = vec![
        Field::derived("rate", ANY_RATE, "from mean_gap", "Mean rate of each flow. Either this or mean_gap."),
        Field::derived("mean_gap", Shape::Time, "from rate", "Mean time between two messages of a flow."),
        Field::required("sizes", Shape::OneOf(sizes()), "Sizes of the messages."),
    ];
    vec![
        Field::table("backlogged", Vec::new(), "Always a frame to send."),
        Field::table(
            "constant",
            vec![Field::required("rate", ANY_RATE, "Rate at which frames are offered.")],
            "One frame after another at a constant rate.",
        ),
        Field::table("on_off", on_off, "Bursts with silence between them."),
        Field::table("poisson", poisson, "Messages that arrive as a Poisson process."),
        Field::table(
            "message",
            vec![Field::required("size", ANY_SIZE, "Its size.")],
            "One message, offered when the flow starts.",
        ),
    ]
}

fn sizes() -> Vec<Field> {
    let mean = || Field::required("mean", ANY_SIZE, "Mean size.");
    let pareto = vec![
        mean(),
        Field::required("shape", Shape::NumberAbove(1.0), "The smaller, the heavier the tail."),
        Field::derived("bound", ANY_SIZE, "none", "Larger sizes are held at this."),
    ];
    vec![
        Field::table("web-search", Vec::new(), "Flow sizes of a web search cluster, as in the DCTCP paper."),
        Field::table("data-mining", Vec::new(), "Flow sizes of a data mining cluster, as in the VL2 paper."),
        Field::table("fixed", vec![Field::required("size", ANY_SIZE, "The size.")], "Always the same."),
        Field::table(
            "uniform",
            vec![
                Field::required("from", ANY_SIZE, "Smallest size."),
                Field::required("to", ANY_SIZE, "Largest size."),
            ],
            "Every size in a range alike.",
        ),
        Field::table("exponential", vec![mean()], "Exponentially distributed."),
        Field::table("pareto", pareto, "Pareto distributed: many small, few very large."),
        Field::table(
            "table",
            vec![Field::required(
                "points",
                Shape::Distribution,
                "Sizes and the probability of at most that size, both growing, the last 1.",
            )],
            "A cumulative distribution written out; linear between its points.",
        ),
    ]
}

fn change() -> Vec<Field> {
    let mut fields = vec![
        Field::required("time", Shape::Time, "When."),
        Field::derived(
            "port",
            Shape::Text,
            "none",
            "The port that changes, written from->to, as in left->right.",
        ),
        Field::derived("rate", ANY_RATE, "none", "The new rate of the port, in that direction."),
        Field::derived("flow", Shape::Names, "none", "The flows that change: a name, a pattern or a list."),
        Field::derived("weight", Shape::Integer(1, MAX_WEIGHT), "none", "The flows' new weight."),
        Field::derived("cap", Shape::Rate(&["none"]), "none", "The flows' new cap; \"none\" lifts it."),
        Field::derived("max", Shape::Rate(&["none"]), "none", "The flows' new `max`; \"none\" lifts it."),
        Field::derived(
            "start",
            Shape::Flag,
            "false",
            "true: the flows start to offer frames, or start again.",
        ),
        Field::derived("stop", Shape::Flag, "false", "true: the flows stop offering frames."),
    ];
    fields.extend(super::groups::changes());
    fields.extend([
        super::control::reaction_point("New parameters of all reaction points, which keep their state."),
        Field::derived("label", Shape::Text, "made from the change", "A few words to mark it in the report."),
    ]);
    fields
}
