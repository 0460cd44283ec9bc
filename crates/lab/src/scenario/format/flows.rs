//! What crosses the network, and what happens on the way.

use setpoint_sim::Priority;
use setpoint_sim::traffic::Silence;
use setpoint_units::{Bytes, Rate, TimeDelta};

use super::declare::{choice, kinds, tables};
use super::parameters::{Parameters, reaction_point_fields};
use super::topology::MAX_NODES;
use super::values::{LinkRate, Names, OrWord, SizePoints};

/// Largest weight of a flow.
const MAX_WEIGHT: u64 = 65_535;

tables! {
    pub(crate) struct Flow {
        /// Sending stations: a name, a pattern (`*` any text, `?` any character, `{1..8}` any of these
        /// numbers, `{1..8..2}` every second of them) or a list of them.
        from: Names = required;
        /// Receiving stations. In pairs, the first of `from` sends to the first of `to` and so on; a
        /// single one on either side is paired with all of the other.
        to: Option<Names>, "for permutation, all-to-all and shift: the senders";
        /// In place of `to`: the group that receives. Each of the senders sends to all its members.
        group: Option<String>, "none";
        /// Who sends to whom: pairs; incast (all to one, which is left out of the senders); hot-spots
        /// (the senders are dealt out to the receivers in turn, so that each receives from as many); permutation
        /// (at random, everyone to one and from one); all-to-all; shift (each to the one `shift` places on, or to
        /// `fan_out` of them).
        pattern: Pattern = "pairs";
        /// How many places on, for the pattern shift.
        shift: Option<usize> [1..=MAX_NODES], "none";
        /// For the pattern shift, how many stations each sends to: those `shift`, 2 × `shift`, … places on. Each
        /// then receives from as many, so that the load is the same everywhere.
        fan_out: usize [1..=MAX_NODES] = "1";
        /// What there is to send.
        traffic: Traffic = "backlogged";
        /// When the flows start.
        start: TimeDelta = "0 s";
        /// Each flow of the entry starts this much after the one before.
        stagger: TimeDelta = "0 s";
        /// When the flows stop offering frames.
        stop: Option<TimeDelta>, "never";
        /// Share of the station's port among its flows that wait for it, and of a link where congestion points
        /// divide it by weights (AF-QCN, AFD).
        weight: u32 [1..=MAX_WEIGHT] = "1";
        /// The most that congestion points which divide a link are to give the flow or its tenant. Nothing holds
        /// the sender to it, as `cap` does.
        max: Option<Rate>, "none";
        /// Flows with the same tenant are counted together by congestion points that divide a link; they have one
        /// `weight` and one `max` in common.
        tenant: Option<String>, "each flow its own";
        /// The most each flow may send at.
        cap: Option<Rate>, "none";
        /// Whether the sender is notified and its rate limited. With false, for background traffic, congestion
        /// points still count and sample its frames like any others, and send no notification for them.
        controlled: bool = "true";
        /// Length of a full frame.
        frame: Option<Bytes>, "network.frame";
        /// Priority of the frames.
        priority: Option<Priority>, "network.priority";
        /// Name of the flow; with a number added where the entry makes several.
        name: Option<String>, "f1, f2, … through all entries";
    }
}

/// How flows are laid between stations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    Pairs,
    Incast,
    HotSpots,
    Permutation,
    AllToAll,
    Shift,
}

choice!(Pattern {
    "pairs" => Pairs,
    "incast" => Incast,
    "hot-spots" => HotSpots,
    "permutation" => Permutation,
    "all-to-all" => AllToAll,
    "shift" => Shift,
});

kinds! {
    /// What a flow has to send.
    pub(crate) enum Traffic {
        /// Always a frame to send.
        "backlogged" => Backlogged,
        /// One frame after another at a constant rate.
        "constant" => Constant(Constant),
        /// Bursts with silence between them.
        "on_off" => OnOff(OnOff),
        /// Messages that arrive as a Poisson process.
        "poisson" => Poisson(Poisson),
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
        /// Bytes in a burst, sent at the port's rate.
        burst: Bytes = required;
        /// Mean rate over bursts and silence; below the port's rate.
        rate: Rate = required;
        /// Whether the time between bursts is random or always its mean.
        silence: Silence = "exponential";
    }
}

choice!(Silence { "exponential" => Exponential, "fixed" => Fixed });

tables! {
    pub(crate) struct Poisson {
        /// Mean rate of each flow. Either this or mean_gap.
        rate: Option<Rate>, "from mean_gap";
        /// Mean time between two messages of a flow.
        mean_gap: Option<TimeDelta>, "from rate";
        /// Sizes of the messages.
        sizes: Sizes = required;
    }

    pub(crate) struct Message {
        /// Its size.
        size: Bytes = required;
    }
}

kinds! {
    /// Sizes of messages.
    pub(crate) enum Sizes {
        /// Flow sizes of a web search cluster, as in the DCTCP paper.
        "web-search" => WebSearch,
        /// Flow sizes of a data mining cluster, as in the VL2 paper.
        "data-mining" => DataMining,
        /// Always the same.
        "fixed" => Fixed(Fixed),
        /// Every size in a range alike.
        "uniform" => Uniform(Uniform),
        /// Exponentially distributed.
        "exponential" => Exponential(Exponential),
        /// Pareto distributed: many small, few very large.
        "pareto" => Pareto(Pareto),
        /// A cumulative distribution written out; linear between its points.
        "table" => Table(SizeTable),
    }
}

tables! {
    pub(crate) struct Fixed {
        /// The size.
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
        /// The smaller, the heavier the tail.
        shape: f64 [1.0] = required;
        /// Larger sizes are held at this.
        bound: Option<Bytes>, "none";
    }

    pub(crate) struct SizeTable {
        /// Sizes and the probability of at most that size, both growing, the last 1.
        points: SizePoints = required;
    }

    pub(crate) struct At {
        /// When.
        time: TimeDelta = required;
        /// The port that changes, written from->to, as in left->right.
        port: Option<String>, "none";
        /// The new rate of the port, in that direction.
        rate: Option<LinkRate>, "none";
        /// The flows that change: a name, a pattern or a list.
        flow: Option<Names>, "none";
        /// The flows' new weight.
        weight: Option<u32> [1..=MAX_WEIGHT], "none";
        /// The flows' new cap; "none" lifts it.
        cap: Option<OrWord<Rate>> [&["none"]], "none";
        /// The flows' new `max`; "none" lifts it.
        max: Option<OrWord<Rate>> [&["none"]], "none";
        /// true: the flows start to offer frames, or start again.
        start: Option<bool>, "false";
        /// true: the flows stop offering frames.
        stop: Option<bool>, "false";
        /// The group whose members change.
        group: Option<String>, "none";
        /// The stations that become members: a name, a pattern or a list.
        join: Option<Names>, "none";
        /// The stations that are members no longer: a name, a pattern or a list.
        leave: Option<Names>, "none";
        /// New parameters of all reaction points, which keep their state.
        rp: Parameters [reaction_point_fields()];
        /// A few words to mark it in the report.
        label: Option<String>, "made from the change";
    }
}
