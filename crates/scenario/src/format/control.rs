//! Congestion control and flow control.

use setpoint_control::parameter::Profile;
use setpoint_control::{Algorithm, Audience, GroupRule, Preset, Role};
use setpoint_sim::{Placement, Priority, SampledFrames};
use setpoint_units::{Bytes, TimeDelta};

use super::bridge::UNBIASED;
use super::declare::{choice, kinds, tables};
use super::no_keys::NoKeys;
use super::parameters::{Parameters, field_of};
use super::read::{self, Keys, Readable, Reader, table_with};
use super::values::{Choice, List, OrWord, Scalar, choices, scalars, word_of};
use super::{AnyKey, Fallback, Field, Placed, Shape};
use crate::diagnostics::{Place, Problem, Problems};
use crate::tree::Item;

/// Maximum number of words that one read of a culprit array returns, and maximum number of random
/// reads.
const MAX_WORDS: u64 = 65_535;

/// The congestion control of a scenario: an algorithm, its participants, how notifications travel,
/// and the algorithm's own parameters.
#[derive(Debug)]
pub(crate) struct Control {
    pub(crate) algorithm: Algorithm,
    /// The place of the algorithm's table.
    pub(crate) place: Place,
    /// None without an algorithm.
    pub(crate) participants: Option<Participants>,
    /// The profile; none for algorithms without profiles.
    pub(crate) profile: Option<Placed<ProfileName>>,
    /// None for algorithms that send no notifications.
    pub(crate) notifications: Option<Notifications>,
    /// The parameters of every role that has any.
    pub(crate) points: Vec<(Role, Placed<Parameters>)>,
    kind: &'static Field,
}

impl Control {
    /// The keys of an algorithm.
    fn fields(algorithm: Algorithm) -> Vec<Field> {
        let mut fields = Vec::new();
        if algorithm != Algorithm::None {
            fields.extend(Participants::fields());
        }
        if let [first, ..] = algorithm.profiles() {
            let (shape, doc) = (<ProfileName as Scalar>::shape(algorithm), PROFILE_DOC);
            fields.push(Field::new::<ProfileName>("profile", shape, Fallback::Value(first.name.into()), doc));
        }
        if algorithm.notifies() {
            fields.extend(Notifications::fields());
        }
        for role in Role::ALL {
            let parameters: Vec<Field> = algorithm.parameters_of(role).map(field_of).collect();
            if !parameters.is_empty() {
                let (shape, doc) = (Parameters::shape(parameters), described(role));
                fields.push(Field::new::<Parameters>(role.key(), shape, Fallback::Derived(""), doc));
            }
        }
        fields
    }

    /// Reads the table of an algorithm.
    fn of(kind: &'static Field, place: &Place, reader: &mut Reader<'_>) -> Option<Self> {
        let algorithm = Algorithm::from_name(kind.name)?;
        let participants = (algorithm != Algorithm::None).then(|| Participants::read_keys(reader));
        let profile = (!algorithm.profiles().is_empty()).then(|| reader.key("profile"));
        let notifications = algorithm.notifies().then(|| Notifications::read_keys(reader));
        let roles = Role::ALL.into_iter().filter(|role| kind.find(role.key()).is_some());
        let points: Vec<_> = roles.map(|role| reader.key(role.key()).map(|table| (role, table))).collect();
        Some(Self {
            algorithm,
            place: place.clone(),
            participants: inner(participants)?,
            profile: inner(profile)?,
            notifications: inner(notifications)?,
            points: points.into_iter().collect::<Option<_>>()?,
            kind,
        })
    }

    /// The key of the algorithm's table in the format.
    pub(crate) fn kind(&self) -> &'static Field {
        self.kind
    }

    /// The set of parameters to start from, if the algorithm has several.
    pub(crate) fn profile(&self) -> Option<&'static Profile> {
        self.algorithm.profile(self.profile.as_ref()?.0)
    }

    /// Where a parameter is written, or where it would belong; `key` begins with the algorithm, as in
    /// `qcn.cp.set_point`.
    pub(crate) fn place_of(&self, key: &str) -> &Place {
        let mut names = key.split('.').skip(1);
        let role = names.next().and_then(Role::from_key);
        let table = self.points.iter().find(|(other, _)| Some(*other) == role).map(|(_, table)| table);
        let parameter = table.zip(names.next()).and_then(|(table, name)| table.find(name));
        parameter.map(Placed::place).or(table.map(Placed::place)).unwrap_or(&self.place)
    }
}

const fn described(role: Role) -> &'static str {
    match role {
        Role::CongestionPoint => "Parameters of the congestion points.",
        Role::NotificationPoint => "Parameters of the notification points.",
        Role::ReactionPoint => "Parameters of the reaction points.",
    }
}

/// Distinguishes an absent value, `Some(None)`, from one that could not be read, `None`.
fn inner<T>(read: Option<Option<T>>) -> Option<Option<T>> {
    match read {
        None => Some(None),
        Some(read) => read.map(Some),
    }
}

/// The key `control`, or the table of one algorithm.
impl Readable for Control {
    type Limits = ();

    fn shape((): ()) -> Shape {
        let kind = |algorithm: Algorithm| {
            let described = Algorithm::CHOICES.iter().find(|choice| choice.name == algorithm.name());
            let (shape, doc) =
                (Shape::Table(Self::fields(algorithm)), described.map_or("", |choice| choice.description));
            Field::new::<Self>(algorithm.name(), shape, Fallback::Derived(""), doc)
        };
        Shape::OneOf(Algorithm::ALL.into_iter().map(kind).collect())
    }

    fn read(field: &'static Field, item: &Item, problems: &mut Problems) -> Option<Self> {
        match field.shape {
            Shape::OneOf(_) => read::kind(field, item, problems, Self::read),
            _ => table_with(field, item, problems, |reader| Self::of(field, &item.place, reader)),
        }
    }

    fn keys(&self) -> Vec<&dyn AnyKey> {
        let participants = self.participants.as_ref().map(Readable::keys);
        let notifications = self.notifications.as_ref().map(Readable::keys);
        [participants, notifications].into_iter().flatten().flatten().collect()
    }
}

const PROFILE_DOC: &str = "Source of the parameters to start from: a paper, a simulator or a network card. Profiles \
    that depend on the link speed use the speed of `preset`.";

/// The name of one of an algorithm's profiles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProfileName(&'static str);

scalars! {
    ProfileName [Algorithm] |algorithm: Algorithm| {
        let names: Vec<&'static str> = algorithm.profiles().iter().map(|profile| profile.name).collect();
        Shape::Choice(Vec::leak(names))
    } => profile_name => |name: &Self| name.0;
}

fn profile_name(field: &'static Field, shape: &Shape, item: &Item) -> Result<ProfileName, Problem> {
    let Shape::Choice(words) = shape else { unreachable!("a profile is a choice") };
    word_of(field, shape, words, item).map(ProfileName)
}

tables! {
    /// Parameters and priorities to start from.
    pub(crate) struct Participants {
        /// Set of parameters to start from; the keys below override individual parameters.
        preset: Preset = "10G";
        /// Priorities under congestion control, at most seven.
        priorities: Option<List<Priority>> [1..=7], "[network.priority]";
    }
}

impl Choice for Preset {
    const WORDS: &'static [&'static str] = &{
        let mut names = [""; Self::ALL.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = Self::ALL[index].name();
            index += 1;
        }
        names
    };

    fn word(&self) -> &'static str {
        self.name()
    }

    fn of_word(word: &str) -> Option<Self> {
        Self::from_name(word)
    }
}
choices!(Preset);

tables! {
    /// The placement of congestion points, and how notifications travel.
    pub(crate) struct Notifications {
        /// Location of congestion points: the outputs of bridges, their inputs, or both. Inputs need `bridge = "cioq"`;
        /// a congestion point there observes the input buffer.
        placement: Placement = "outputs",
            origin "IEEE 802.1Q 30.2.1; inputs were proposed by Chrysos et al. (2014)";
        /// The source that a congestion point at an input notifies: the source of the sampled frame
        /// (arrival), the source of the flow with the largest backlog in the buffer
        /// (largest-backlog), or the source of the data in a randomly chosen occupied unit of the
        /// buffer (random-occupancy). A congestion point at an output always notifies the source of
        /// the sampled frame.
        marking: MarkedSource = "arrival",
            origin "IEEE 802.1Q; the other two are occupancy sampling, Chrysos et al. (2014), section III-B";
        /// With random-occupancy: number of units that one read of the culprit array returns. With more than one, flows
        /// are chosen only approximately in proportion to their shares of the buffer.
        words_per_read: u32 [1..=MAX_WORDS] = "1",
            origin "exact shares; the array of Chrysos et al. (2014), section VI, returns 16";
        /// With random-occupancy: number of reads at random addresses before the culprit array is searched
        /// sequentially.
        random_reads: u32 [1..=MAX_WORDS] = "16",
            origin "\"a number of searches\" in Chrysos et al. (2014), section VI";
        /// Lets a congestion point at an input sample even while the input has paused its sender:
        /// once in every period in which the link could have carried this amount of data. The paper
        /// uses 150 kB. Needs occupancy sampling (`marking`), because no frames arrive during
        /// a pause.
        keep_alive: OrWord<Bytes> [&["off"]] = "off", origin "Chrysos et al. (2014), section IV";
        /// How the rate limiter of a multicast flow reacts to several congestion points: every notification changes its
        /// single rate; each congestion point has its own rate, and the smallest applies; or only the congestion point
        /// in the worst state counts. Limiters of other flows ignore this key.
        group_rule: GroupRule = "every-notification",
            origin "IEEE 802.1Q has one rate; the smallest of several is Mliki et al. (2016), section 3; the worst \
                    point is QCN/BS, Tanisawa and Yamamoto (2014)";
        /// With worst-point: time without a notification after which the worst congestion point is forgotten.
        group_memory: TimeDelta = "50 ms";
        /// The frames that a congestion point samples: those that enter the queue, or all frames that
        /// arrive, including dropped ones. For a dropped frame, the congestion point uses the queue
        /// length without that frame, and notifies its source like any other. If most frames are
        /// dropped, sources are then notified much earlier. Without drops, the two choices are
        /// equivalent.
        sampled_frames: SampledFrames = "enqueued",
            origin "IEEE 802.1Q MIB (\"octets to enqueue\") and ns-3-dcn; the AF-QCN paper speaks of \"incoming packets\"";
        /// Sources that a congestion point notifies when it samples a frame: the source of that frame (sampled), or the
        /// source of every flow from which a frame has arrived at the queue since the previous sample, with the same
        /// notification for all (every-flow). Needs congestion points at outputs, and an algorithm whose feedback does
        /// not depend on the flow.
        audience: Audience = "sampled",
            origin "IEEE 802.1Q; every-flow is the premise of the fairness argument in Jiang and others (SMCC), \
                    section 4.2";
        /// Number of rate limiters per station. If all are in use, a newly notified flow shares one
        /// of them.
        limiters_per_station: u32 [1..=1_000_000] = "100",
            origin "largest rpppMaxRps of IEEE 802.1Q 32.10.1, so that flows do not share limiters";
        /// Priority of notification frames.
        notification_priority: Priority = "6", origin "cngCnmTransmitPriority, IEEE 802.1Q 32.2.2";
        /// Length of a notification frame.
        notification_size: Bytes = "64 B", origin "shortest Ethernet frame";
        /// Time between the arrival of a notification and the reaction of the rate limiter.
        reaction_delay: TimeDelta = "0 s";
    }
}

/// The source that a congestion point at an input notifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkedSource {
    Arrival,
    LargestBacklog,
    RandomOccupancy,
}

choice!(MarkedSource {
    "arrival" => Arrival,
    "largest-backlog" => LargestBacklog,
    "random-occupancy" => RandomOccupancy,
});
choice!(Placement { "outputs" => Outputs, "inputs" => Inputs, "both" => Both });
choice!(GroupRule {
    "every-notification" => EveryNotification,
    "slowest-path" => SlowestPath,
    "worst-point" => WorstPoint,
});
choice!(SampledFrames { "enqueued" => Enqueued, "arriving" => Arriving });
choice!(Audience { "sampled" => Sampled, "every-flow" => EveryFlow });

kinds! {
    /// Link-level flow control.
    pub(crate) enum FlowControl {
        /// No flow control: frames are dropped when a buffer is full.
        "none" => None(NoKeys),
        /// PAUSE, IEEE 802.3x: a bridge pauses the whole link at its input.
        "pause" => Pause(Thresholds),
        /// Priority-based flow control, IEEE 802.1Qbb: each priority is paused separately.
        "pfc" => Pfc(Pfc),
    }
}

tables! {
    /// When a link is paused.
    pub(crate) struct Thresholds {
        /// The link of an input is paused when the bridge holds more than this amount of data from it.
        xoff: Bytes = "110 kB", origin UNBIASED;
        /// A paused link is released when the bridge holds no more than this amount of data from it.
        xon: Bytes = "44 kB", origin UNBIASED;
        /// Buffer above xoff for data that still arrives after the bridge has decided to pause the
        /// link; "auto" gives each link as much as it needs.
        headroom: OrWord<Bytes> [&["auto"]] = "auto";
        /// Duration of a pause unless it is renewed, in quanta of 512 bit times.
        quanta: u16 [1..=65_535] = "65535", origin "the longest pause of IEEE 802.3x";
        /// Time from the arrival of a pause frame at the sender's MAC until the sender stops transmitting new frames.
        /// "802.3" is the longest time that the standard allows at the speed of the link, which includes the sender's
        /// network.interface_delay; "802.1Q" is 614.4 ns. A release takes the same time.
        response_time: OrWord<TimeDelta> [&["802.3", "802.1Q"]] = "0 s",
            origin "the models in the papers have none; IEEE 802.3, 31B.3.7, and IEEE 802.1Q, 36.1.3, limit it";
        /// Memory of a bridge for frames under flow control, from all its inputs together. It has no effect on the run:
        /// a check compares it with the sum of xoff and headroom over the inputs and protected priorities of each
        /// bridge.
        buffer: Option<Bytes>, "no check";
    }

    pub(crate) struct Pfc {
        ..thresholds: Thresholds;
        /// Priorities whose frames are paused and never dropped; frames of other priorities can be dropped.
        priorities: Option<List<Priority>> [1..=8], "[network.priority]";
    }
}

impl FlowControl {
    /// The thresholds at which links are paused; none without flow control.
    pub(crate) fn thresholds(&self) -> Option<&Thresholds> {
        match self {
            Self::None(_) => None,
            Self::Pause(thresholds) => Some(thresholds),
            Self::Pfc(pfc) => Some(&pfc.thresholds),
        }
    }
}
