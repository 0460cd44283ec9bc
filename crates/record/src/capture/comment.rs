//! Comments on notifications and pauses, with the names used in the scenario.

use std::fmt::Write;

use setpoint_control::{Notification, Signal};
use setpoint_scenario::PortNames;
use setpoint_sim::{FlowId, PassingContent, PassingFrame, PointPlace, PrioritySet, Side, Spec};
use setpoint_units::Bytes;

pub(super) struct Comments<'a> {
    pub(super) spec: &'a Spec,
    pub(super) names: PortNames,
    pub(super) set_point: Option<Bytes>,
    /// The text; kept to reuse its memory.
    pub(super) text: String,
}

impl Comments<'_> {
    /// The comment on a frame; empty for data.
    pub(super) fn of(&mut self, frame: &PassingFrame) -> &str {
        self.text.clear();
        let written = match &frame.content {
            PassingContent::Data { .. } => Ok(()),
            PassingContent::Notification { flow, from, signal, .. } => {
                self.notification(*flow, from, *signal)
            }
            PassingContent::Reply { flow, acknowledges, .. } => self.reply(*flow, *acknowledges),
            PassingContent::Pause { quanta } => self.pause(frame, *quanta),
            PassingContent::Pfc { stop, resume, quanta } => self.pfc(frame, (*stop, *resume), *quanta),
        };
        debug_assert!(written.is_ok(), "a text takes everything");
        &self.text
    }

    fn reply(&mut self, FlowId(flow): FlowId, acknowledges: bool) -> std::fmt::Result {
        let kind = if acknowledges { "acknowledgement" } else { "congestion notification" };
        write!(self.text, "{kind} of the receiver of flow {flow}")
    }

    fn notification(&mut self, FlowId(flow): FlowId, from: &PointPlace, signal: Signal) -> std::fmt::Result {
        let side = match from.side {
            Side::Output => "output",
            Side::Input => "input from",
        };
        let (port, priority) = (self.names.of(from.port), from.priority.get());
        let name = &self.spec.flows[flow as usize].name;
        write!(self.text, "flow {name}; congestion point at {side} {port}, priority {priority}")?;
        let Signal::Notification(Notification { feedback, queue_offset, queue_delta }) = signal else {
            return write!(self.text, "; stop");
        };
        if let Some(set_point) = self.set_point {
            let queue = (set_point.get() as i64).saturating_sub(queue_offset).max(0);
            write!(self.text, "; queue {}, set point {set_point}", Bytes::new(queue as u64))?;
        }
        write!(self.text, "; change since the last sample {queue_delta:+} B; feedback {}", feedback.get())
    }

    fn pause(&mut self, frame: &PassingFrame, quanta: u16) -> std::fmt::Result {
        let port = self.names.of(frame.port.peer());
        match quanta {
            0 => write!(self.text, "resumes {port}"),
            _ => write!(self.text, "pauses {port} for {quanta} quanta"),
        }
    }

    fn pfc(
        &mut self,
        frame: &PassingFrame,
        (stop, resume): (PrioritySet, PrioritySet),
        quanta: u16,
    ) -> std::fmt::Result {
        let port = self.names.of(frame.port.peer());
        if stop != PrioritySet::NONE {
            write!(self.text, "pauses {} of {port} for {quanta} quanta", priorities(stop))?;
        }
        if resume != PrioritySet::NONE {
            let and = if stop == PrioritySet::NONE { "" } else { "; " };
            write!(self.text, "{and}resumes {} of {port}", priorities(resume))?;
        }
        Ok(())
    }
}

fn priorities(set: PrioritySet) -> String {
    let numbers: Vec<String> =
        (0..8).filter(|number| set.0 >> number & 1 == 1).map(|number: u8| number.to_string()).collect();
    match &numbers[..] {
        [one] => format!("priority {one}"),
        several => format!("priorities {}", several.join(", ")),
    }
}
