//! Flows from CSV files.

use setpoint_sim::{MessageOrder, Priority};
use setpoint_units::{Bytes, TimeDelta};

use super::declare::tables;

tables! {
    pub(crate) struct FlowFile {
        /// Path of the CSV file, relative to this file. With the columns `id` and `after`, its messages wait for each other and form
        /// a job.
        path: String = required;
        /// Name of the flows, followed by a number. In results, the flows of each class of the file form an entry with
        /// the name of the class, and all other flows form an entry with this name. It is also the name of the job.
        name: Option<String>, "f1, f2, … across all entries";
        /// Time added to all start times of the file.
        start: TimeDelta = "0 s";
        /// How the messages between two stations follow each other: independent, or in-order.
        messages: Option<MessageOrder>, "network.messages";
        /// Length of a full frame.
        frame: Option<Bytes>, "network.frame";
        /// Priority of the messages for which the file gives none.
        priority: Option<Priority>, "network.priority";
    }
}
