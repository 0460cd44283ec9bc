//! The tables that define how bridges move frames from their inputs to their outputs.

use setpoint_control::parameter::Percent;
use setpoint_sim::{Delivery, Spraying};
use setpoint_units::{Bytes, TimeDelta};

use super::declare::{choice, kinds, tables};
use super::no_keys::NoKeys;
use super::read::Readable;
use super::topology::Topology;
use super::values::OrWord;
use super::{Field, Placed};
use crate::diagnostics::{Place, Problems};
use crate::tree::{Item, Value};

/// Maximum number of cells that an input or an output of a spine can buffer.
const MAX_CELLS: u64 = 65_535;

/// The paper that describes the bridge with input buffers.
pub(super) const UNBIASED: &str =
    "Chrysos et al., \"Unbiased QCN for scalable server-fabrics\" (2014), table I";
const HPCC: &str = "the switch of the HPCC simulator (`switch-mmu.cc`)";
const CELL_SIZE: &str = "buffer units of 256 B in Chrysos et al. (2014), section VI";

kinds! {
    /// The internal structure of bridges.
    pub(crate) enum Bridge {
        /// An arriving frame enters its output queue immediately, an ideal that no large bridge
        /// achieves.
        "output-queued" => OutputQueued(NoKeys),
        /// Like output-queued, but all ports of a bridge share one buffer with dynamic thresholds, as in most switch chips.
        /// It replaces network.buffer, and xoff and xon of flow control.
        "shared_buffer" => SharedBuffer(SharedBuffer),
        /// Combined input and output queues: a frame waits in a virtual output queue at its input
        /// until the arbiter of its output grants it room there. Arbiters serve the inputs in turn.
        /// Flow control depends on the occupancy of the inputs. The buffer at each output has the
        /// size network.buffer.
        "cioq" => Cioq(Cioq),
    }
}

tables! {
    /// A bridge whose ports share one buffer. Frames of priorities under flow control are charged to their inputs, other frames to
    /// their output queues.
    pub(crate) struct SharedBuffer {
        /// The switch whose values replace the defaults of the other keys, see docs/flow-control.md.
        preset: BufferPreset = "hpcc";
        /// Size of the buffer of each bridge: reserves, headroom and the shared pool.
        size: Bytes = "12582912 B", origin HPCC;
        /// Dynamic threshold of an input and priority under flow control: its sender is paused when the input uses more shared
        /// space than alpha times the free shared space, or any headroom.
        alpha: f64 [0.0] = "0.125", origin HPCC;
        /// Dynamic threshold of an output queue without flow control: a frame is dropped if its queue would then use more shared
        /// space than egress_alpha times the free shared space.
        egress_alpha: f64 [0.0] = "1", origin "the threshold that Choudhury and Hahne (1998) study first: each queue may take as much as is free";
        /// Factors of single priorities, in place of alpha or egress_alpha. Not possible with PAUSE, which does not distinguish
        /// priorities.
        priority_alpha: PriorityAlpha;
        /// Space reserved for each input and priority under flow control, and for each output queue of any other priority.
        reserve: Bytes = "4096 B", origin HPCC;
        /// Size of the headroom that the inputs of a bridge share; "auto" is the sum of their headrooms. With less, frames are lost
        /// if too many inputs use their headroom at the same time.
        headroom_pool: OrWord<Bytes> [&["auto"]] = "auto";
        /// A paused sender is released when its input uses no headroom and is below its threshold by at least this amount.
        resume_offset: Bytes = "3072 B", origin HPCC;
    }

    /// The factors of the dynamic thresholds of single priorities.
    pub(crate) struct PriorityAlpha {
        /// Factor of priority 0.
        priority_0: Option<f64> [0.0], "alpha or egress_alpha";
        /// Factor of priority 1.
        priority_1: Option<f64> [0.0], "alpha or egress_alpha";
        /// Factor of priority 2.
        priority_2: Option<f64> [0.0], "alpha or egress_alpha";
        /// Factor of priority 3.
        priority_3: Option<f64> [0.0], "alpha or egress_alpha";
        /// Factor of priority 4.
        priority_4: Option<f64> [0.0], "alpha or egress_alpha";
        /// Factor of priority 5.
        priority_5: Option<f64> [0.0], "alpha or egress_alpha";
        /// Factor of priority 6.
        priority_6: Option<f64> [0.0], "alpha or egress_alpha";
        /// Factor of priority 7.
        priority_7: Option<f64> [0.0], "alpha or egress_alpha";
    }

    /// A bridge with input buffers.
    pub(crate) struct Cioq {
        /// Buffer of an input port for each priority. With flow control, xoff and headroom must fit into it.
        input_buffer: Bytes = "150 kB", origin UNBIASED;
        /// Input buffers are allocated in units of this size: a frame occupies whole units.
        unit: Bytes = "256 B", origin CELL_SIZE;
        /// Rate at which an input sends into the crossbar, relative to its link rate. It has no
        /// effect in a rack fabric, where the links to the spines have their own rate.
        speedup: Percent [100..] = "160 %",
            origin "the fabric's over-provisioning of 8:5 (Chrysos et al., 2014, section II-A)";
        /// Delay of a request from an input to the arbiter of an output. Grants, acknowledgements and notifications
        /// have the same delay in the other direction.
        control_delay: TimeDelta = "300 ns",
            origin "leaves 400 ns for data in a fall-through latency of about 1 µs, after a request and a grant";
        /// When an input releases the buffer of a frame: once the whole frame has left for the output (plain), or once
        /// the output has started to transmit it and acknowledged that (reliable).
        delivery: Delivery = "plain";
        /// The cells into which frames are segmented to cross the spines of a rack fabric.
        cells: Cells;
    }

    /// Cells between leaves and spines.
    pub(crate) struct Cells {
        /// Maximum amount of frame data in a cell.
        payload: Bytes = "256 B", origin CELL_SIZE;
        /// Size of a cell header.
        header: Bytes = "16 B";
        /// Number of cells that each input of a spine can buffer.
        spine_input: u32 [1..=MAX_CELLS] = "16";
        /// Number of cells that each output of a spine can buffer.
        spine_output: u32 [1..=MAX_CELLS] = "16";
        /// How a leaf chooses the link for a cell: in turn, or at random with equal probability.
        spraying: Spraying = "round-robin";
    }
}

choice!(BufferPreset {
    "hpcc" => Hpcc, "trident2" => Trident2, "tomahawk" => Tomahawk, "trident3" => Trident3,
});
choice!(Delivery { "plain" => Plain, "reliable" => Reliable });
choice!(Spraying { "round-robin" => RoundRobin, "random" => Random });

/// The switch whose buffer a scenario starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BufferPreset {
    /// The switch of the HPCC simulator, from which the defaults are taken.
    Hpcc,
    Trident2,
    Tomahawk,
    Trident3,
}

impl PriorityAlpha {
    /// The factors of all priorities, beginning with priority 0.
    pub(crate) fn factors(&self) -> [&Placed<Option<f64>>; 8] {
        [
            &self.priority_0,
            &self.priority_1,
            &self.priority_2,
            &self.priority_3,
            &self.priority_4,
            &self.priority_5,
            &self.priority_6,
            &self.priority_7,
        ]
    }
}

impl Bridge {
    /// The kind that a topology implies if the scenario does not choose one.
    pub(super) fn implied(topology: &Topology, field: &'static Field, place: &Place) -> Option<Self> {
        let name = match topology {
            Topology::RackFabric(_) => "cioq",
            _ => "output-queued",
        };
        let item = Item { place: place.clone(), value: Value::Text(name.to_owned()) };
        <Self as Readable>::read(field, &item, &mut Problems::default())
    }
}
