//! The reason why a job did not end, and a remedy.

use setpoint_sim::{MessageId, PortId};
use setpoint_units::Time;
use setpoint_units::quantity::{Unit, grouped};

use super::View;
use crate::results::{MissingMessage, PortLosses, Unfinished};

/// The largest number of ports that are named in a sentence.
const NAMED: usize = 3;

impl View<'_> {
    /// The cause of a job that did not end.
    pub(super) fn unfinished(&self) -> Unfinished {
        let outcome = |id: MessageId| self.messages.of(id);
        let missing = || {
            let all = self.sent().filter(move |message| outcome(message.id).completed.is_none());
            all.filter_map(move |message| Some((outcome(message.id).released?, message)))
        };
        let waiting = self.sent().filter(move |message| outcome(message.id).released.is_none()).count();
        // A message that is late because it waits in its station is not the one that lost a frame.
        let lost_any = |id: MessageId| self.lost(id.flow.index()) > 0;
        let first = missing().min_by_key(|(released, message)| (!lost_any(message.id), *released));
        let message = first.map(|(released, message)| {
            let place = self.job.messages.iter().position(|other| other.id == message.id).unwrap_or(0);
            let per_iteration = self.job.steps_per_iteration;
            MissingMessage {
                id: self.job.ids.get(place).filter(|id| !id.is_empty()).map(ToString::to_string),
                flow: self.messages.spec.flows[message.id.flow.index()].name.clone(),
                iteration: message.step / per_iteration + 1,
                step: message.step % per_iteration + 1,
                released_s: released.as_secs_f64(),
            }
        });
        let lost_frames = self.job.flows.clone().map(|flow| self.lost(flow)).sum();
        let losses = self.losses();
        let (cause, remedy) = self.reason(lost_frames, &losses, message.as_ref());
        Unfinished { cause, remedy, missing: missing().count(), waiting, lost_frames, losses, message }
    }

    /// The frames that a flow lost to congestion and on links that had failed.
    fn lost(&self, flow: usize) -> u64 {
        let flow = &self.messages.outcome.flows[flow];
        flow.dropped_frames + flow.lost_on_links.get().frames
    }

    /// The frames lost at the ports on the paths of the job, in its priorities.
    fn losses(&self) -> Vec<PortLosses> {
        let (spec, outcome) = (self.messages.spec, self.messages.outcome);
        let uses = |port: PortId| {
            let flows = self.sharing.on(port).iter();
            flows
                .filter(|flow| self.job.flows.contains(&flow.index()))
                .map(|flow| spec.flows[flow.index()].priority)
        };
        let mut losses: Vec<PortLosses> = Vec::new();
        let mut add = |port: PortId, frames: u64| {
            let name = self.sharing.name(port);
            match losses.iter_mut().find(|known| known.port == name) {
                _ if frames == 0 => {}
                Some(known) => known.frames += frames,
                None => losses.push(PortLosses { port: name, frames }),
            }
        };
        for queue in &outcome.queues {
            if uses(queue.port).any(|priority| priority == queue.priority) {
                add(queue.port, queue.dropped_frames);
            }
        }
        for failed in &outcome.failed_links {
            for (port, losses) in
                [(failed.link.forward(), failed.forward), (failed.link.backward(), failed.backward)]
            {
                if uses(port).next().is_some() {
                    add(port, losses.in_flight_frames + losses.sent_frames);
                }
            }
        }
        losses.sort_by_key(|losses| std::cmp::Reverse(losses.frames));
        losses
    }

    /// The cause and the remedy, in sentences.
    fn reason(&self, lost: u64, losses: &[PortLosses], message: Option<&MissingMessage>) -> (String, String) {
        let (outcome, name) = (self.messages.outcome, message.map(named));
        let end = seconds(outcome.end);
        if lost > 0 {
            let one = |losses: &PortLosses| format!("{} ({})", losses.port, grouped(losses.frames as f64));
            let ports: Vec<String> = losses.iter().take(NAMED).map(one).collect();
            let more = losses.len().saturating_sub(NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let at = if ports.is_empty() { String::new() } else { format!(" at {}{more}", ports.join(", ")) };
            let frames = match lost {
                1 => String::from("1 frame of the job was lost"),
                _ => format!("{} frames of the job were lost", grouped(lost as f64)),
            };
            let never = name.map_or_else(String::new, |name| format!("; {name} never arrived"));
            let on_links =
                self.job.flows.clone().any(|flow| outcome.flows[flow].lost_on_links.get().frames > 0);
            let remedy = if on_links {
                "nothing is retransmitted: let the job avoid the link that fails, or start after the failure"
            } else {
                "nothing is retransmitted: use flow control for the priority of the job, or larger buffers"
            };
            return (format!("{frames}{at}{never}"), remedy.to_owned());
        }
        if outcome.deadlock.is_some() {
            let waits = name.map_or_else(String::new, |name| format!(", and {name} did not arrive"));
            let cause = format!("ports under flow control wait for each other in a deadlock{waits}");
            return (cause, String::from("see `deadlock` in the summary; routes without cycles avoid it"));
        }
        let cause = match name {
            _ if self.job.start >= outcome.end => {
                format!("the run ended at {end}, before the job started at {}", seconds(self.job.start))
            }
            Some(name) => format!("the run ended at {end}, before {name} arrived"),
            None => format!("the run ended at {end}, during a computation"),
        };
        let least = self.job.start.saturating_add(self.ideal_time());
        let remedy = match least > outcome.end {
            true => format!(
                "increase `duration` beyond {}, at which the job would end in an empty network",
                // Not rounded, because a duration that is slightly shorter would not suffice.
                least.since_start()
            ),
            false => String::from("increase `duration`"),
        };
        (cause, remedy)
    }
}

/// A message in a sentence.
fn named(message: &MissingMessage) -> String {
    let MissingMessage { id, flow, iteration, step, released_s } = message;
    let released = Unit::Seconds.text(*released_s);
    let which = match id {
        Some(id) => format!("message {id} of {flow}"),
        None => format!("the message of {flow} in step {step} of iteration {iteration}"),
    };
    format!("{which}, released at {released},")
}

fn seconds(time: Time) -> String {
    Unit::Seconds.text(time.as_secs_f64())
}
