//! How bridges move frames from their inputs to their outputs.

use setpoint_control::parameter::Percent;
use setpoint_sim::{Delivery, Spraying};
use setpoint_units::{Bytes, TimeDelta};

use super::Field;
use super::declare::{choice, kinds, tables};
use super::read::Readable;
use super::topology::Topology;
use crate::scenario::diagnostics::{Place, Problems};
use crate::scenario::tree::{Item, Value};

/// Most cells that an input or an output of a spine has room for.
const MAX_CELLS: u64 = 65_535;

/// The paper that describes the bridge with input buffers.
pub(super) const UNBIASED: &str =
    "Chrysos and others, \"Unbiased QCN for scalable server-fabrics\" (2014), table I";
const CELL_SIZE: &str = "buffer units of 256 B in Chrysos and others (2014), section VI";

kinds! {
    /// How bridges work inside.
    pub(crate) enum Bridge {
        /// A frame that arrives is put into the queue of its output at once: an ideal that no large bridge can be.
        "output-queued" => OutputQueued,
        /// Combined input and output queues: a frame waits in the buffer of its input, in a virtual output queue, until
        /// the arbiter of its output has granted it room there. Arbiters serve inputs in turn. Flow control follows
        /// what an input holds. Room at an output is network.buffer.
        "cioq" => Cioq(Cioq),
    }
}

tables! {
    /// A bridge with input buffers.
    pub(crate) struct Cioq {
        /// Room of an input port for each priority. With flow control, xoff and headroom must fit into it.
        input_buffer: Bytes = "150 kB", origin UNBIASED;
        /// Input buffers are given out in units of this size: a frame takes as many as it needs, the last one whole.
        unit: Bytes = "256 B", origin CELL_SIZE;
        /// How fast an input sends into the crossbar of a bridge, in terms of its link's rate. Of no effect
        /// between spines, whose links have a rate of their own.
        speedup: Percent [100..] = "160 %",
            origin "the fabric's over-provisioning of 8:5 (Chrysos and others, 2014, section II-A)";
        /// How long a request takes from an input to the arbiter of an output; grants, acknowledgements and
        /// notifications take as long the other way.
        control_delay: TimeDelta = "300 ns",
            origin "a request and a grant then leave 400 ns to data of a fall-through latency of about 1 us";
        /// How long an input keeps a frame: until all of it has left for the output, or, reliable, until the output
        /// has begun to send it on and said so.
        delivery: Delivery = "plain";
        /// What crosses the spines of a rack fabric: frames are cut into cells.
        cells: Cells;
    }

    /// What crosses spines.
    pub(crate) struct Cells {
        /// What a cell holds of a frame at most.
        payload: Bytes = "256 B", origin CELL_SIZE;
        /// What a cell has of its own.
        header: Bytes = "16 B";
        /// Cells that each input of a spine has room for.
        spine_input: u32 [1..=MAX_CELLS] = "16";
        /// Cells that each output of a spine has room for.
        spine_output: u32 [1..=MAX_CELLS] = "16";
        /// Which of a leaf's links a cell takes: one after another, or any with the same probability.
        spraying: Spraying = "round-robin";
    }
}

choice!(Delivery { "plain" => Plain, "reliable" => Reliable });
choice!(Spraying { "round-robin" => RoundRobin, "random" => Random });

impl Bridge {
    /// The kind that a topology asks for where none is chosen.
    pub(super) fn implied(topology: &Topology, field: &'static Field, place: &Place) -> Option<Self> {
        let name = match topology {
            Topology::RackFabric(_) => "cioq",
            _ => "output-queued",
        };
        let item = Item { place: place.clone(), value: Value::Text(name.to_owned()) };
        <Self as Readable>::read(field, &item, &mut Problems::default())
    }
}
