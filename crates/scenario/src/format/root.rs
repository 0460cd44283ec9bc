//! The scenario as a whole: its name, its duration and its tables.

use setpoint_units::TimeDelta;

use super::bridge::{Bridge, Cioq, SharedBuffer};
use super::capture::Capture;
use super::control::{Control, FlowControl};
use super::declare::tables;
use super::flow_files::FlowFile;
use super::flows::{At, Flow};
use super::groups::Group;
use super::jobs::Job;
use super::read::{Entries, Readable};
use super::scheduling::Scheduling;
use super::topology::{Network, Topology};
use super::values::{Choice, List, choices};
use super::wire::Wire;
use super::{Field, Placed, Shape};
use crate::check::CODES;
use crate::diagnostics::{Diagnostics, Problems};
use crate::tree::Item;

tables! {
    /// A scenario.
    pub(crate) struct Root {
        /// Name of the scenario.
        name: Option<String>, "the file's name";
        /// One or two sentences for the report.
        description: String = "";
        /// Another scenario to start from: a path relative to this file, or a built-in name. Keys
        /// in this file replace the same keys in the other file; lists, [[flows]], [[jobs]] and [[at]] are
        /// replaced as a whole. Name and description are not inherited.
        extends: Option<String>, "nothing";
        /// Simulated time.
        duration: TimeDelta = "1 s";
        /// Statistics ignore everything before this time; time series include it.
        measure_from: Option<TimeDelta>, "a quarter of duration";
        /// Message figures ignore messages offered at or after this time. These load the network until the end of the
        /// run, so that the others can be completed under the same load; otherwise figures of messages are lower
        /// bounds, because the last messages offered in a run are not completed.
        measure_messages_until: Option<TimeDelta>, "the end of the run";
        /// Interval at which queues and rates are sampled for the time series.
        sample_interval: Option<TimeDelta>, "a thousandth of duration, at least 1 µs";
        /// Seed of all random numbers of the run; the same seed gives the same run.
        seed: u64 [0..=u64::MAX] = "1";
        /// Whether to record the beginning and the end of every pause, in pauses.csv. The other results are the same.
        record_pauses: bool = "false";
        /// Codes of plausibility checks (docs/checks.md) to silence because the scenario triggers
        /// them on purpose.
        allow_warnings: Option<List<Code>> [0..=CODES.len()], "none";
        /// Dotted keys, each with a list of values to try; with several keys, the sweep runs all combinations. The
        /// first entry of [[flows]] is flows.1. A value may have its own name, which folders, tables and pages show:
        /// `control = ["none", { label = "fast", value = { qcn = { preset = "40G" } } }]`.
        sweep: Option<Axes>, "no sweep";
        /// The network: exactly one of these tables.
        topology: Topology = required;
        /// Settings shared by all bridges and flows.
        network: Network;
        /// Internal structure of the bridges: one of these tables.
        bridge: Option<Bridge>, "`output-queued`; `cioq` in a rack fabric";
        /// How ports choose among priorities: one of these tables.
        scheduling: Scheduling = "strict";
        /// Congestion control: one of these tables.
        control: Control = "none";
        /// Link-level flow control: one of these tables.
        flow_control: FlowControl = "none";
        /// Groups of stations: a flow to a group reaches every member.
        groups: Entries<Group>, "no groups";
        /// Flows; one entry can create many.
        flows: Entries<Flow>, "without [[flow_files]] and [[jobs]], in a dumbbell: a backlogged flow from every sender to its receiver";
        /// Messages from CSV files, one line per message. The first line names the columns, in any order: start time, source,
        /// destination and size and, if needed, priority and class. The names of times and sizes end in the unit: `start_s`,
        /// `start_ms`, `start_us`, `start_ns`, `start_ps`, `size_bytes`, `size_kB`, `size_MB`, `size_GB`. Sources and
        /// destinations are names of stations. Messages of a class, which can have any name, have their own figures in results.
        /// Empty lines and lines that begin with # are ignored. Start times are rounded to picoseconds; as with other flows, a
        /// flow starts at a random time within the time that the station's port takes for one frame, and its messages are
        /// delayed by that time. Results store a hash of the file.
        flow_files: Entries<FlowFile>, "none";
        /// Jobs: collective operations among stations, whose messages wait for each other.
        jobs: Entries<Job>, "no jobs";
        /// A change at a given time.
        at: Entries<At>, "no changes";
        /// How notifications are written as octets, in captures and on real links. Public descriptions disagree on
        /// these details.
        wire: Wire;
        /// Store the frames on the links in the result, as capture.pcapng.
        capture: Option<Capture>, "no capture";
    }
}

impl Root {
    /// Reads a tree, or reports everything that is wrong with it.
    pub(crate) fn of(tree: &Item) -> Result<Self, Diagnostics> {
        let mut problems = Problems::default();
        let read = <Self as Readable>::read(super::root(), tree, &mut problems);
        problems.check()?;
        let mut root = read.ok_or_else(|| problems.into_diagnostics(&tree.place))?;
        let topology = &root.topology;
        root.bridge.default_to(|field, place| Bridge::implied(topology, field, place));
        root.bridge.update(|bridge| {
            if let Some(Bridge::SharedBuffer(shared)) = bridge {
                shared.update(SharedBuffer::apply_preset);
            }
        });
        Ok(root)
    }

    /// The table of bridges with input buffers, if the bridges have any.
    pub(crate) fn cioq(&self) -> Option<&Placed<Cioq>> {
        match self.bridge.as_ref()? {
            Bridge::Cioq(cioq) => Some(cioq),
            Bridge::OutputQueued(_) | Bridge::SharedBuffer(_) => None,
        }
    }

    /// The table of bridges whose ports share a buffer.
    pub(crate) fn shared_buffer(&self) -> Option<&Placed<SharedBuffer>> {
        match self.bridge.as_ref()? {
            Bridge::SharedBuffer(shared) => Some(shared),
            Bridge::OutputQueued(_) | Bridge::Cioq(_) => None,
        }
    }
}

/// The code of a plausibility check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code(pub(crate) &'static str);

impl Choice for Code {
    const WORDS: &'static [&'static str] = CODES;

    fn word(&self) -> &'static str {
        self.0
    }

    fn of_word(word: &str) -> Option<Self> {
        CODES.iter().find(|code| **code == word).map(|code| Self(code))
    }
}
choices!(Code);

/// The axes of a sweep as written; they are checked when the variants are created.
#[derive(Debug)]
pub(crate) struct Axes(pub(crate) Item);

impl Readable for Axes {
    type Limits = ();

    fn shape((): ()) -> Shape {
        Shape::Axes
    }

    fn read(_: &'static Field, item: &Item, _: &mut Problems) -> Option<Self> {
        Some(Self(item.clone()))
    }
}
