//! Flows, their traffic, and changes during the run.

use setpoint_control::parameter::Percent;
use setpoint_sim::traffic::Silence;
use setpoint_sim::{MessageOrder, Priority};
use setpoint_units::{Bytes, Rate, TimeDelta};

use super::declare::{choice, kinds, tables};
use super::no_keys::NoKeys;
use super::parameters::{Parameters, reaction_point_fields};
use super::values::{LinkRate, Names, OrWord, SizePoints};
use crate::limits::MAX_NODES;

/// Largest weight of a flow.
const MAX_WEIGHT: u64 = 65_535;

tables! {
    pub(crate) struct Flow {
        /// Sending stations: a name, a pattern (`*` matches any text, `?` any character, `{1..8}` any number from 1 to
        /// 8, `{1..8..2}` every second number), or a list of names and patterns.
        from: Names = required;
        /// Receiving stations. With the pattern pairs, the first station in `from` sends to the
        /// first in `to`, and so on; a single station on either side is paired with all stations on
        /// the other.
        to: Option<Names>, "for permutation, all-to-all, shift and random-incast: the senders";
        /// The group to send to, instead of `to`. Each sender sends to all members.
        group: Option<String>, "none";
        /// Who sends to whom: pairs; incast (all to one station, which does not send); hot-spots
        /// (senders are assigned to the receivers in turn, so that each receives from the same
        /// number of senders); permutation (at random: every station sends to one station and
        /// receives from one); all-to-all; shift (each station sends to the one `shift` places
        /// further along the list, or to `fan_out` such stations); random-incast (at each event of
        /// the traffic, `fan_in` random stations each send a message to one random station).
        pattern: Pattern = "pairs";
        /// For the pattern shift: the distance from a sender to its receiver in the list.
        shift: Option<usize> [1..=MAX_NODES], "none";
        /// For the pattern shift: the number of stations that each station sends to, which are
        /// `shift`, 2 × `shift`, … places further along the list. Each station then also receives
        /// from this number of stations, so the load is uniform.
        fan_out: usize [1..=MAX_NODES] = "1";
        /// For the pattern random-incast: the number of stations that send at each event. The traffic, which must be
        /// periodic or poisson, then describes the events of the whole entry: the time between two events, and the size
        /// of each message. Its `load` is the share of the total port rate of the stations in `from`.
        fan_in: Option<usize> [1..=MAX_NODES], "none";
        /// The traffic that a flow offers. Flows that start together are not synchronised: each starts after a random
        /// delay of at most the transmission time of one frame at the station's port. The messages of one event, or of
        /// flows with a common start, are therefore offered at times that differ by up to this delay.
        traffic: Traffic = "backlogged";
        /// How the messages of each flow follow each other: independent, or in-order.
        messages: Option<MessageOrder>, "network.messages";
        /// Time at which the flows start.
        start: TimeDelta = "0 s";
        /// Time between the starts of successive flows of the entry.
        stagger: TimeDelta = "0 s";
        /// Time at which the flows stop offering frames.
        stop: Option<TimeDelta>, "never";
        /// Relative share of the station's port among its waiting flows, and of a link at congestion points that divide
        /// it by weight (AF-QCN, AFD).
        weight: u32 [1..=MAX_WEIGHT] = "1";
        /// Maximum rate that congestion points which divide a link grant the flow or its tenant. Unlike `cap`, it does
        /// not limit the sender directly.
        max: Option<Rate>, "none";
        /// Tenant to which the flows belong. Congestion points that divide a link count the flows
        /// of a tenant together; such flows must have the same `weight` and `max`.
        tenant: Option<String>, "one tenant per flow";
        /// Maximum sending rate of each flow.
        cap: Option<Rate>, "none";
        /// Whether the sender is notified and its rate limited. If false, for background traffic, congestion points
        /// still count and sample its frames, but send no notifications for them.
        controlled: bool = "true";
        /// Length of a full frame.
        frame: Option<Bytes>, "network.frame";
        /// Priority of the frames.
        priority: Option<Priority>, "network.priority";
        /// Name of the flow, followed by a number if the entry creates several.
        name: Option<String>, "f1, f2, … across all entries";
    }
}

/// How senders are assigned to receivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    Pairs,
    Incast,
    HotSpots,
    Permutation,
    AllToAll,
    Shift,
    RandomIncast,
}

choice!(Pattern {
    "pairs" => Pairs,
    "incast" => Incast,
    "hot-spots" => HotSpots,
    "permutation" => Permutation,
    "all-to-all" => AllToAll,
    "shift" => Shift,
    "random-incast" => RandomIncast,
});

choice!(MessageOrder { "independent" => Independent, "in-order" => InOrder });

kinds! {
    /// The traffic of a flow.
    pub(crate) enum Traffic {
        /// There is always a frame to send.
        "backlogged" => Backlogged(NoKeys),
        /// Frames at a constant rate.
        "constant" => Constant(Constant),
        /// Bursts separated by silence.
        "on_off" => OnOff(OnOff),
        /// Messages that arrive as a Poisson process.
        "poisson" => Poisson(Poisson),
        /// Messages of the same size at regular times, the first when the flow starts.
        "periodic" => Periodic(Periodic),
        /// One message, offered when the flow starts.
        "message" => Message(Message),
    }
}

tables! {
    pub(crate) struct Constant {
        /// Rate at which frames are offered.
        rate: Rate = required;
    }

    pub(crate) struct OnOff {
        /// Size of a burst, which is sent at the port rate.
        burst: Bytes = required;
        /// Mean rate over bursts and silence; it must be below the port rate.
        rate: Rate = required;
        /// Whether the time between bursts is random or constant.
        silence: Silence = "exponential";
    }
}

choice!(Silence { "exponential" => Exponential, "fixed" => Fixed });

tables! {
    pub(crate) struct Poisson {
        /// Mean rate of each flow. Set exactly one of this key, mean_gap and load.
        rate: Option<Rate>, "from mean_gap or load";
        /// Mean time between two messages of a flow.
        mean_gap: Option<TimeDelta>, "from rate or load";
        /// Mean load of each sender's port: the share of the port rate that all flows of the entry from this sender
        /// offer together, divided equally among them. As with `rate`, only the bytes of the messages count, not
        /// `network.overhead`.
        load: Option<Percent> [0..], "from rate or mean_gap";
        /// Message sizes.
        sizes: Sizes = required;
    }

    pub(crate) struct Periodic {
        /// Time between two messages of a flow. Set either this key or load.
        every: Option<TimeDelta>, "from load";
        /// Mean load of each sender's port, as for poisson.
        load: Option<Percent> [0..], "from every";
        /// Size of each message.
        size: Bytes = required;
    }

    pub(crate) struct Message {
        /// Size of the message.
        size: Bytes = required;
    }
}

kinds! {
    /// Message sizes.
    pub(crate) enum Sizes {
        /// Flow sizes of a web search cluster, as in the DCTCP paper.
        "web-search" => WebSearch(NoKeys),
        /// Flow sizes of a data mining cluster, as in the VL2 paper.
        "data-mining" => DataMining(NoKeys),
        /// Message sizes of a Hadoop cluster, as in the HPCC paper (FB_Hadoop).
        "fb-hadoop" => FbHadoop(NoKeys),
        /// Message sizes of a storage cluster, as in the HPCC simulator (AliStorage2019).
        "ali-storage" => AliStorage(NoKeys),
        /// Remote procedure calls, as in the HPCC simulator (GoogleRPC2008).
        "google-rpc" => GoogleRpc(NoKeys),
        /// All messages have the same size.
        "fixed" => Fixed(Fixed),
        /// Uniformly distributed over a range.
        "uniform" => Uniform(Uniform),
        /// Exponentially distributed.
        "exponential" => Exponential(Exponential),
        /// Pareto distributed: many small messages and a few very large ones.
        "pareto" => Pareto(Pareto),
        /// A cumulative distribution defined by points, with linear interpolation between them.
        "table" => Table(SizeTable),
    }
}

tables! {
    pub(crate) struct Fixed {
        /// Size of a message.
        size: Bytes = required;
    }

    pub(crate) struct Uniform {
        /// Smallest size.
        from: Bytes = required;
        /// Largest size.
        to: Bytes = required;
    }

    pub(crate) struct Exponential {
        /// Mean size.
        mean: Bytes = required;
    }

    pub(crate) struct Pareto {
        /// Mean size.
        mean: Bytes = required;
        /// Shape parameter; the smaller, the heavier the tail.
        shape: f64 [1.0] = required;
        /// Upper bound; larger sizes are reduced to it.
        bound: Option<Bytes>, "none";
    }

    pub(crate) struct SizeTable {
        /// Sizes, each with the probability that a message is at most that large; both increase,
        /// and the last probability is 1.
        points: SizePoints = required;
    }

    pub(crate) struct At {
        /// Time of the change.
        time: TimeDelta = required;
        /// The port that changes, written as from->to, for example left->right.
        port: Option<String>, "none";
        /// New rate of the port, in that direction.
        rate: Option<LinkRate>, "none";
        /// The link that changes, in both directions, written like one of its ports, for example left->right.
        link: Option<String>, "none";
        /// true: the link fails. Frames on it are lost, and so are those that bridges send to it until routes avoid it
        /// (`network.rerouting_delay`). A station whose link has failed holds its frames.
        fail: Option<bool>, "false";
        /// true: the link, which has failed before, carries frames again.
        recover: Option<bool>, "false";
        /// The flows that change: a name, a pattern or a list.
        flow: Option<Names>, "none";
        /// New weight of the flows.
        weight: Option<u32> [1..=MAX_WEIGHT], "none";
        /// New cap of the flows; "none" removes it.
        cap: Option<OrWord<Rate>> [&["none"]], "none";
        /// New `max` of the flows; "none" removes it.
        max: Option<OrWord<Rate>> [&["none"]], "none";
        /// true: the flows start, or restart, offering frames.
        start: Option<bool>, "false";
        /// true: the flows stop offering frames.
        stop: Option<bool>, "false";
        /// The group whose members change.
        group: Option<String>, "none";
        /// Stations that join the group: a name, a pattern or a list.
        join: Option<Names>, "none";
        /// Stations that leave the group: a name, a pattern or a list.
        leave: Option<Names>, "none";
        /// New parameters of all reaction points, which keep their state.
        rp: Parameters [reaction_point_fields()];
        /// A few words that mark the change in the report.
        label: Option<String>, "derived from the change";
    }
}
