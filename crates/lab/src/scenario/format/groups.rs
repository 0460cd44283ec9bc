//! Groups of stations that receive the same frames.

use super::{Field, Shape};

pub(super) fn fields() -> Vec<Field> {
    let doc = "Groups of stations: a flow to a group goes to every member.";
    vec![Field::derived("groups", Shape::Entries(group()), "no groups", doc)]
}

fn group() -> Vec<Field> {
    vec![
        Field::derived("name", Shape::Text, "g1, g2, … in the order of the file", "Name of the group."),
        Field::derived(
            "members",
            Shape::Names,
            "those who join",
            "The stations that are members from the start: a name, a pattern or a list, as in `flows.from`. Others can \
             join and members can leave: see `at`.",
        ),
        Field::derived(
            "size",
            Shape::Integer(1, super::topology::MAX_NODES),
            "all of them",
            "Only the first so many of `members`.",
        ),
    ]
}

/// How the frames of a flow to a group reach its members, among what all bridges and flows share.
pub(super) fn delivery() -> Field {
    Field::value(
        "delivery",
        Shape::Choice(&["multicast", "multiple-unicast"]),
        "multicast",
        "How a flow to a group reaches its members: the sender sends each frame once, and bridges copy it where paths \
         part; or the sender has a flow to each member, called after both, as in f1.r1.",
    )
}

/// What the limiter of a flow to a group does with the notifications of several congestion points.
pub(super) fn rules() -> Vec<Field> {
    vec![
        Field::value(
            "group_rule",
            Shape::Choice(&["every-notification", "slowest-path", "worst-point"]),
            "every-notification",
            "How the limiter of a multicast flow obeys several congestion points: every notification changes its one \
             rate; each congestion point has a rate of its own, and the smallest counts; or only the congestion point \
             in the worst state is obeyed. Limiters of other flows do not look at it.",
        )
        .origin(
            "IEEE 802.1Q knows one rate; the smallest of several is Mliki and others (2016), section 3; the worst \
             point is QCN/BS, Tanisawa and Yamamoto (2014)",
        ),
        Field::value(
            "group_memory",
            Shape::Time,
            "50 ms",
            "With worst-point: how long the worst congestion point stays that without having been heard.",
        ),
    ]
}

/// The keys of `[[at]]` that change who is in a group.
pub(super) fn changes() -> Vec<Field> {
    vec![
        Field::derived("group", Shape::Text, "none", "The group whose members change."),
        Field::derived(
            "join",
            Shape::Names,
            "none",
            "The stations that become members: a name, a pattern or a list.",
        ),
        Field::derived(
            "leave",
            Shape::Names,
            "none",
            "The stations that are members no longer: a name, a pattern or a list.",
        ),
    ]
}
