//! Figures of jobs.

use super::keyed::keyed;

keyed! {
    /// A `[[jobs]]` entry, or a file of messages that wait for each other.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct JobSummary {
        /// Its name.
        pub name: String,
        /// The kind of operation; `messages` for a file.
        pub kind: String,
        /// Number of ranks.
        pub ranks: usize,
        /// When it started.
        pub start_s: f64 = Seconds,
        /// Its messages.
        pub messages: usize,
        /// The messages that arrived completely.
        pub completed: usize,
        /// The time from its start until its last message arrived. Omitted if it did not end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub time_s: Option<f64> = Seconds,
        /// Why it did not end. Omitted if it ended.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub unfinished: Option<Unfinished>,
        /// The time that it would have taken if every message had taken only as long as in an empty network.
        pub ideal_s: f64 = Seconds,
        /// The steps of all iterations, in order.
        pub steps: Vec<StepSummary>,
        /// The rank that ended last, by the name of its station. Omitted if the job did not end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub slowest_rank: Option<String>,
        /// The rank that ended first, by the name of its station. Omitted if the job did not end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub fastest_rank: Option<String>,
        /// The time between the end of the fastest rank and the end of the slowest. Omitted if the job did not end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub rank_spread_s: Option<f64> = Seconds,
        /// The messages that determined the end of the job, in chronological order: see [Critical path](#critical-path).
        /// A very long path is limited to its last 10 000 messages. Empty if the job did not end.
        pub critical_path: Vec<CriticalMessage>,
        /// The time of computation after the last message of the critical path. Omitted if the job did not end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub final_compute_s: Option<f64> = Seconds,
        /// The ports that delayed the messages of the critical path, the largest delay first.
        pub delays: Vec<PortDelay>,
    }
}

impl JobSummary {
    /// The time of the job, divided by its time in an empty network.
    pub fn slowdown(&self) -> Option<f64> {
        self.time_s.filter(|_| self.ideal_s > 0.0).map(|time| time / self.ideal_s)
    }

    /// The longest step.
    pub fn longest_step(&self) -> Option<&StepSummary> {
        self.steps.iter().rev().max_by(|a, b| a.time_s.total_cmp(&b.time_s))
    }

    /// The mean time of a step. Steps overlap, so it is the time until the last step has ended, divided by their number.
    pub fn step_mean_s(&self) -> Option<f64> {
        self.time_s.filter(|_| !self.steps.is_empty()).map(|time| time / self.steps.len() as f64)
    }
}

keyed! {
    /// Why a job did not end.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Unfinished {
        /// The cause, in a sentence.
        pub cause: String,
        /// A remedy, in a sentence.
        pub remedy: String,
        /// Messages that were released and did not arrive.
        pub missing: usize,
        /// Messages that were not released, because they waited for others or for a computation.
        pub waiting: usize,
        /// Frames that the job lost.
        pub lost_frames: u64,
        /// Where frames were lost on the paths of the job, the largest number first.
        pub losses: Vec<PortLosses>,
        /// The first message that was released and did not arrive; if the job lost frames, the first one of a flow that lost some.
        /// Omitted if there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub message: Option<MissingMessage>,
    }
}

keyed! {
    /// Frames lost at a port.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct PortLosses {
        /// The port, `from->to`.
        pub port: String,
        /// The frames of the job's priority that were lost there, including those of other flows.
        pub frames: u64,
    }
}

keyed! {
    /// A message that was released and did not arrive.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct MissingMessage {
        /// Its id in the file. Omitted if it has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub id: Option<String>,
        /// Its flow.
        pub flow: String,
        /// Its iteration, starting at 1.
        pub iteration: u32,
        /// Its step in the iteration, starting at 1.
        pub step: u32,
        /// When it was released, counted from the start of the run.
        pub released_s: f64 = Seconds,
    }
}

keyed! {
    /// A step of a job.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct StepSummary {
        /// Its iteration, starting at 1.
        pub iteration: u32,
        /// Its number in the iteration, starting at 1.
        pub step: u32,
        /// The time from the start of the job until its last message arrived.
        pub end_s: f64 = Seconds,
        /// The time from the latest end of an earlier step until its own end; 0 if an earlier step ended later.
        pub time_s: f64 = Seconds,
    }
}

keyed! {
    /// A message on the critical path.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct CriticalMessage {
        /// Its id in the file. Omitted if it has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub id: Option<String>,
        /// Its flow.
        pub flow: String,
        /// Its iteration, starting at 1.
        pub iteration: u32,
        /// Its step in the iteration, starting at 1. In a file, one more than the number of messages in the longest chain that it
        /// waits for.
        pub step: u32,
        /// Its size.
        pub size_bytes: u64 = Bytes,
        /// The time for which its station computed before it could send it.
        pub compute_s: f64 = Seconds,
        /// When it was released, counted from the start of the run.
        pub released_s: f64 = Seconds,
        /// The time from its release until it arrived or, if the next message waited only for its departure, left its station.
        pub time_s: f64 = Seconds,
        /// The excess of this time over the time in an empty network.
        pub delay_s: f64 = Seconds,
        /// The ports that contributed to the delay. A negative contribution made up for an earlier one.
        pub ports: Vec<PortDelay>,
    }
}

keyed! {
    /// The delay of messages at a port.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct PortDelay {
        /// The port, `from->to`.
        pub port: String,
        /// The delay of the messages' last frames at this port: waiting in its queue or, at a station, until the message could be
        /// sent.
        pub delay_s: f64 = Seconds,
        /// The part of it for which the port was paused.
        pub paused_s: f64 = Seconds,
        /// The messages that it delayed.
        pub messages: usize,
        /// Other flows on the port: up to eight names.
        pub shared_with: Vec<String>,
        /// The number of other flows on the port.
        pub other_flows: usize,
    }
}
