//! Congestion control and flow control.

use std::borrow::Cow;

use setpoint_control::parameter::{Range, Tunable};
use setpoint_control::{Algorithm, Preset};

use super::bridge::UNBIASED;
use super::{Fallback, Field, Shape};

/// Most words of a culprit array that are read at once, and most reads at random.
const MAX_WORDS: u64 = 65_535;

pub(super) fn fields() -> Vec<Field> {
    let none = |doc| Field::table("none", Vec::new(), doc);
    let control = Algorithm::ALL.into_iter().map(algorithm).collect();
    let flow_control = vec![none("No flow control: a full buffer drops."), pause(), pfc()];
    vec![
        Field::value("control", Shape::OneOf(control), "none", "Congestion control: one of these tables."),
        Field::value(
            "flow_control",
            Shape::OneOf(flow_control),
            "none",
            "Link-level flow control: one of these tables.",
        ),
    ]
}

/// The table of an algorithm: who takes part, how notifications travel, and its own parameters.
fn algorithm(algorithm: Algorithm) -> Field {
    let mut fields = Vec::new();
    if algorithm != Algorithm::None {
        fields.extend(participants());
    }
    if algorithm.notifies() {
        fields.extend(places());
        fields.extend(super::groups::rules());
        fields.extend(notifications());
    }
    let points =
        [("cp", "Parameters of the congestion points."), ("rp", "Parameters of the reaction points.")];
    for (name, doc) in points {
        let parameters: Vec<Field> = parameters_of(algorithm, name).map(parameter_field).collect();
        if !parameters.is_empty() {
            fields.push(Field::table(name, parameters, doc));
        }
    }
    Field::table(algorithm.name(), fields, described(algorithm))
}

fn described(algorithm: Algorithm) -> &'static str {
    Algorithm::CHOICES
        .iter()
        .find(|choice| choice.name == algorithm.name())
        .map_or("", |choice| choice.description)
}

fn participants() -> Vec<Field> {
    vec![
        Field::value(
            "preset",
            Shape::Choice(preset_names()),
            "10G",
            "A set of parameters to start from; the keys below change single ones.",
        ),
        Field::derived(
            "priorities",
            priorities(7),
            "[network.priority]",
            "The priorities that are congestion controlled, at most seven.",
        ),
    ]
}

/// Where congestion points are, and whom those at inputs tell.
fn places() -> Vec<Field> {
    vec![
        Field::value(
            "placement",
            Shape::Choice(&["outputs", "inputs", "both"]),
            "outputs",
            "Where congestion points are: at the outputs of bridges, at their inputs, or at both. Inputs need \
             `bridge = \"cioq\"`; a congestion point there watches what its input buffer holds.",
        )
        .origin("IEEE 802.1Q 30.2.1; inputs are the proposal of Chrysos and others (2014)"),
        Field::value(
            "marking",
            Shape::Choice(&["arrival", "largest-backlog", "random-occupancy"]),
            "arrival",
            "Whom a congestion point at an input tells: the source of the frame it sampled, that of the flow with the \
             largest backlog in the buffer, or that of an occupied unit of the buffer, taken at random. One at an \
             output always tells the source of the frame it sampled.",
        )
        .origin("IEEE 802.1Q; the others are occupancy sampling, Chrysos and others (2014), section III-B"),
        Field::value(
            "words_per_read",
            Shape::Integer(1, MAX_WORDS),
            "1",
            "With random-occupancy: how many units one read of the culprit array tells of. With more than one, flows \
             are told nearly, and not exactly, by their shares of the buffer.",
        )
        .origin("exact shares; the array of Chrysos and others (2014), section VI, gives 16"),
        Field::value(
            "random_reads",
            Shape::Integer(1, MAX_WORDS),
            "16",
            "With random-occupancy: reads at random addresses before the culprit array is searched read by read.",
        )
        .origin("\"a number of searches\" in Chrysos and others (2014), section VI"),
        Field::value(
            "keep_alive",
            Shape::Size(&["off"]),
            "off",
            "Whether a congestion point at an input goes on sampling while its input has paused the sender: a sample \
             each time that this much could have come at the link's rate. The paper takes 150 kB. Needs occupancy \
             sampling (`marking`), since nothing arrives then.",
        )
        .origin("Chrysos and others (2014), section IV"),
    ]
}

fn notifications() -> Vec<Field> {
    vec![
        Field::value(
            "sampled_frames",
            Shape::Choice(&["enqueued", "arriving"]),
            "enqueued",
            "The frames among which a congestion point takes its samples: those that enter the queue, or all \
             that come, dropped or not. A dropped one counts with the queue as it is, without the frame, and its \
             source is notified like any other; where most frames are dropped, sources are then told to slow \
             down far sooner. Where nothing is dropped the two are the same.",
        )
        .origin(
            "IEEE 802.1Q MIB (\"octets to enqueue\") and ns-3-dcn; the AF-QCN paper speaks of \"incoming packets\"",
        ),
        Field::value(
            "limiters_per_station",
            Shape::Integer(1, 1_000_000),
            "100",
            "Rate limiters of a station. A flow notified when all are taken shares one of them.",
        )
        .origin("largest rpppMaxRps of IEEE 802.1Q 32.10.1, so that flows do not share"),
        Field::value(
            "notification_priority",
            Shape::Integer(0, 7),
            "6",
            "Priority of notification frames on their way back.",
        )
        .origin("cngCnmTransmitPriority, IEEE 802.1Q 32.2.2"),
        Field::value("notification_size", Shape::Size(&[]), "64 B", "Length of a notification frame.")
            .origin("shortest Ethernet frame"),
        Field::value(
            "reaction_delay",
            Shape::Time,
            "0 s",
            "Time between the arrival of a notification and the limiter's obeying it.",
        ),
    ]
}

/// A table of the reaction point's parameters, of whichever algorithm.
pub(super) fn reaction_point(doc: &'static str) -> Field {
    let mut fields: Vec<Field> = Vec::new();
    for parameter in Algorithm::ALL.into_iter().flat_map(|algorithm| parameters_of(algorithm, "rp")) {
        match fields.iter_mut().find(|field| field.name == parameter.name()) {
            Some(Field { shape: Shape::ParameterOfAny(known), .. }) => {
                if known.iter().all(|other| other.key() != parameter.key()) {
                    known.push(parameter);
                }
            }
            _ => fields
                .push(Field { shape: Shape::ParameterOfAny(vec![parameter]), ..parameter_field(parameter) }),
        }
    }
    Field::table("rp", fields, doc)
}

/// The parameters of one of an algorithm's points, "cp" or "rp".
pub(crate) fn parameters_of(
    algorithm: Algorithm,
    point: &'static str,
) -> impl Iterator<Item = &'static dyn Tunable> {
    let belongs = move |parameter: &&dyn Tunable| parameter.key().split('.').nth(1) == Some(point);
    algorithm.parameters().into_iter().filter(belongs)
}

fn parameter_field(parameter: &'static dyn Tunable) -> Field {
    let fallback = Fallback::Value(Cow::Owned(parameter.default_value().to_string()));
    let field = Field::new(parameter.name(), Shape::Parameter(parameter), fallback, parameter.description());
    field.origin(parameter.origin())
}

/// What a parameter may be, in words.
pub(super) fn expected(parameter: &dyn Tunable) -> String {
    match parameter.range() {
        Range::Any => parameter.unit().to_string(),
        Range::Between(lowest, highest) => format!("{}, from {lowest} to {highest}", parameter.unit()),
    }
}

fn pause() -> Field {
    Field::table("pause", thresholds(), "PAUSE, IEEE 802.3x: a bridge stops the whole link at its input.")
}

fn pfc() -> Field {
    let mut fields = thresholds();
    fields.push(Field::derived(
        "priorities",
        priorities(8),
        "[network.priority]",
        "The priorities that are paused and never dropped; the others may drop.",
    ));
    Field::table("pfc", fields, "Priority-based flow control, IEEE 802.1Qbb: single priorities are paused.")
}

fn thresholds() -> Vec<Field> {
    vec![
        Field::value(
            "xoff",
            Shape::Size(&[]),
            "110 kB",
            "Bytes held of one input above which its link is paused.",
        )
        .origin(UNBIASED),
        Field::value(
            "xon",
            Shape::Size(&[]),
            "44 kB",
            "Bytes held of one input at or below which it is released.",
        )
        .origin(UNBIASED),
        Field::value(
            "headroom",
            Shape::Size(&["auto"]),
            "auto",
            "Room above xoff for what is still on its way; \"auto\" gives each link what it needs.",
        ),
        Field::value(
            "quanta",
            Shape::Integer(1, 65_535),
            "65535",
            "How long a pause lasts unless refreshed, in quanta of 512 bit times.",
        )
        .origin("the longest pause of IEEE 802.3x"),
    ]
}

fn priorities(most: usize) -> Shape {
    Shape::List(Box::new(Shape::Integer(0, 7)), 1, most)
}

fn preset_names() -> &'static [&'static str] {
    static NAMES: [&str; Preset::ALL.len()] = {
        let mut names = [""; Preset::ALL.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = Preset::ALL[index].name();
            index += 1;
        }
        names
    };
    &NAMES
}
