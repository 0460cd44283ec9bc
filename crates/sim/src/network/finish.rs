//! The outcome of a run.

use std::collections::BTreeSet;

use setpoint_control::{CpCounters, Observe};
use setpoint_units::{Bytes, Time};

use crate::curves::SourceCurves;
use crate::ids::{FlowId, LinkId, PortId};
use crate::index::{Number, QueueNo};
use crate::lossless::LinkBudget;
use crate::network::components::Components;
use crate::network::dependents;
use crate::network::node::bridge::{BridgeSet, QueuePlace};
use crate::network::node::milestones::Milestones;
use crate::network::node::partition::Partition;
use crate::network::node::receive::Ended;
use crate::network::observe::Observers;
use crate::network::observe::books::ideal_time;
use crate::network::observe::recorder::{FlowSeries, PortSeries, QueueSeries};
use crate::outcome::{
    DependentOutcome, FabricOutcome, FailedLink, FailureLosses, Fate, FlowOutcome, IncompleteMessage,
    LinkOutcome, MessageOutcome, Outcome, Passage, PauseChange, PortOutcome, QueueOutcome,
    SharedBufferOutcome, SourceOutcome,
};
use crate::spec::{Change, Spec};

/// A network at the end of its run.
pub(in crate::network) struct Ending {
    pub(in crate::network) components: Components,
    pub(in crate::network) observers: Observers,
    pub(in crate::network) budgets: Vec<LinkBudget>,
}

impl Ending {
    /// Collects the outcome.
    pub(in crate::network) fn outcome(mut self, spec: &Spec) -> Outcome {
        let now = self.components.now;
        // Ideal times refer to the network before any changes.
        let first_rate = |port: PortId| spec.topology.link_at(port.link()).rate;
        for part in self.components.parts.iter_mut() {
            part.bridges.core_mut().finish(now, first_rate);
            part.stations.finish(first_rate);
        }
        self.observers.collect_messages(&mut self.components);
        self.end_messages();
        let (dependents, passages) = self.dependents(spec);
        self.observers.close_trees(&mut self.components);
        let ports = |part: &Partition| {
            let frames =
                part.bridges.core().ports().iter().chain(part.stations.ports()).map(|port| port.sent_frames);
            frames.sum::<u64>()
        };
        let packet_hops = self.components.parts.iter().map(|part| ports(part)).sum();
        let (mut messages, message_counts) = self.observers.messages.take();
        // There may be many messages, so they are sorted in place: completed messages in order of completion, then the
        // others in the order in which they were offered.
        let is_completed = |message: &Ended| message.fate == Fate::Completed;
        messages.sort_unstable_by_key(|message| {
            let at = if is_completed(message) { message.completed } else { message.offered };
            (!is_completed(message), at, message.flow, message.offered, message.conversation, message.size)
        });
        let (completed, incomplete) = messages.split_at(messages.partition_point(is_completed));
        let whole = Outcome {
            end: now,
            sample_interval: self.components.rules.sample_interval,
            measure_from: self.observers.recorder.measure_from,
            measure_messages_until: spec.measure_messages_until,
            events: self.components.events(),
            packet_hops,
            messages: completed.iter().map(|done| self.message(done)).collect(),
            messages_incomplete: incomplete.iter().map(|message| self.incomplete(message)).collect(),
            message_counts,
            feedback: self.feedback(),
            fabric: self.fabric_outcome(),
            congestion_trees: self.observers.trees.congestion_trees(),
            deadlock: self.observers.deadlocks.found.take(),
            links: self.link_outcomes(),
            shared_buffers: self.shared_buffers(),
            failed_links: self.failed_links(spec),
            pauses: spec.records_pauses.then(|| self.pauses()),
            dependents,
            passages,
            flows: Vec::new(),
            sources: self.source_outcomes(),
            queues: self.queue_outcomes(),
            ports: self.port_outcomes(),
        };
        drop(messages);
        Outcome { flows: self.flow_outcomes(), ..whole }
    }

    /// The messages that wait for other messages.
    fn dependents(&mut self, spec: &Spec) -> (Vec<DependentOutcome>, Vec<Passage>) {
        let mut all = Milestones::default();
        for part in self.components.parts.iter_mut() {
            all.append(&mut part.cx.milestones);
        }
        dependents::outcomes(spec, &self.components, &self.observers.holds, &mut all)
    }

    /// The changes of the paused priorities until the end of the run.
    fn pauses(&self) -> Vec<PauseChange> {
        let classes = &self.components.classes;
        let change = |(port, at, paused): (PortId, Time, u8)| PauseChange {
            at,
            port,
            paused: classes.priorities_of(paused),
        };
        let now = self.components.now;
        let mut changes: Vec<PauseChange> =
            self.observers.holds.changes().filter(|(_, at, _)| *at <= now).map(change).collect();
        // The order of simultaneous changes of a port matters, so the sort is stable.
        changes.sort_by_key(|change| (change.at, change.port));
        changes
    }

    /// Notifications sent, by quantised feedback.
    fn feedback(&self) -> Vec<u64> {
        (0..64)
            .map(|feedback| {
                self.components.parts.iter().map(|part| part.bridges.core().feedback()[feedback]).sum()
            })
            .collect()
    }

    /// Counts of cells and frames inside bridges.
    fn fabric_outcome(&self) -> FabricOutcome {
        let add = |sum: FabricOutcome, part: &Partition| {
            let FabricOutcome { cells, waited_at_leaves, waited_at_spines, resequenced } =
                part.bridges.fabric_outcome();
            FabricOutcome {
                cells: sum.cells + cells,
                waited_at_leaves: sum.waited_at_leaves + waited_at_leaves,
                waited_at_spines: sum.waited_at_spines + waited_at_spines,
                resequenced: sum.resequenced + resequenced,
            }
        };
        self.components.parts.iter().fold(FabricOutcome::default(), |sum, part| add(sum, part))
    }

    /// The use of shared buffers, in the order of the bridges.
    fn shared_buffers(&self) -> Vec<SharedBufferOutcome> {
        let bridges = self.components.parts.iter().filter_map(|part| part.bridges.shared());
        let mut outcomes: Vec<SharedBufferOutcome> = bridges.flat_map(BridgeSet::outcomes).collect();
        outcomes.sort_by_key(|outcome| outcome.budget.bridge);
        outcomes
    }

    /// The losses on links that failed, in the order of the links.
    fn failed_links(&self, spec: &Spec) -> Vec<FailedLink> {
        let failed = spec.changes.iter().filter_map(|timed| match timed.change {
            Change::LinkDown(link) if timed.at <= self.components.now => Some(link),
            _ => None,
        });
        let failed: BTreeSet<LinkId> = failed.collect();
        let losses = |port: PortId| self.components.losses_of(port);
        let outcome = |link: LinkId| FailedLink {
            link,
            forward: losses(link.forward()),
            backward: losses(link.backward()),
        };
        failed.into_iter().map(outcome).collect()
    }

    fn link_outcomes(&mut self) -> Vec<LinkOutcome> {
        let budgets = std::mem::take(&mut self.budgets);
        let far_input = |port: PortId| {
            self.components.far_input(port).map_or(0, |(part, input)| part.bridges.core().input(input).peak())
        };
        let outcome = |budget: LinkBudget| {
            let peak = far_input(budget.port);
            LinkOutcome { used: Bytes::new(peak).saturating_sub(budget.threshold), budget }
        };
        budgets.into_iter().map(outcome).collect()
    }

    /// Records incomplete messages, including those offered since their source was last polled.
    fn end_messages(&mut self) {
        for flow in self.components.flows() {
            let ended = self.components.sent_by(flow) == self.components.books_of(flow).ended();
            let receivers = &mut self.components.parts[self.components.receivers.of(flow).0].cx.receivers;
            if ended {
                receivers.settle_losses(flow, Time::MAX);
            }
            receivers.end_messages(flow);
            self.observers.collect_messages(&mut self.components);
            let (part, sender) = self.components.senders.of(flow);
            let (net, messages) = (&mut self.components, &mut self.observers.messages);
            // In an overloaded network there may be many more messages than are kept.
            net.parts[part].stations.take_waiting(sender, net.now, |conversation, message| {
                messages.push(Ended::unfinished(flow, conversation, message));
            });
        }
    }

    /// The outcomes of flows. A network may have hundreds of thousands of flows, so everything else is freed first.
    fn flow_outcomes(self) -> Vec<FlowOutcome> {
        let Observers { recorder, victims, .. } = self.observers;
        let Components { parts, senders, receivers, routes, .. } = self.components;
        drop(routes);
        let (mut sent, mut books, mut groups) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            let Partition { cx, stations, .. } = *part;
            sent.push(stations.into_sent().into_iter());
            books.push(cx.receivers.into_books());
            groups.push(cx.groups);
        }
        let (mut members, victims) = (recorder.receivers, victims.into_times());
        let outcome = |(index, series): (usize, FlowSeries)| {
            let flow = FlowId(index as u32);
            // Within each partition, senders and receivers are in the order of their flows.
            let sent = sent[senders.of(flow).0.place()].next().expect("every flow has a sender");
            let (books, replies) =
                books[receivers.of(flow).0.place()].next().expect("every flow has a receiver");
            let rare = books.rare();
            FlowOutcome {
                sent_frames: sent.frames,
                sent: Bytes::new(sent.bytes),
                delivered_frames: books.delivered_frames,
                delivered: Bytes::new(books.delivered),
                delivered_measured: Bytes::new(books.delivered - rare.unmeasured),
                dropped_frames: rare.dropped_frames,
                dropped: Bytes::new(rare.dropped),
                lost_on_links: FailureLosses {
                    frames: rare.failed_frames,
                    bytes: Bytes::new(rare.failed),
                    unreachable_frames: rare.unreachable_frames,
                }
                .into(),
                notifications: sent.notifications(),
                first_notified: sent.first_notified(),
                copies: groups[0].copies_of(flow).into(),
                receivers: groups[0]
                    .receiver_outcomes(flow, |index| std::mem::take(&mut members[index].growth)),
                reaction: sent.reaction().into(),
                replies: replies.into(),
                round_trips: sent.round_trips().into(),
                delay_sum: books.delay_sum(),
                delay_max: books.delay_max,
                delay_frames: books.delivered_frames - rare.unmeasured_frames,
                delivered_series: series.samples().map(|sample| sample.delivered).collect(),
                limit_series: series.samples().map(|sample| sample.limit).collect(),
                notification_series: series.samples().map(|sample| sample.notifications).collect(),
                victim: victims.get(index).copied().unwrap_or_default(),
            }
        };
        recorder.flows.into_iter().enumerate().map(outcome).collect()
    }

    fn source_outcomes(&mut self) -> Vec<SourceOutcome> {
        let outcome = |(flow, curves)| {
            let SourceCurves { round_trip_series, window_series, in_flight_series, mark_series, load_series } =
                curves;
            SourceOutcome {
                flow,
                round_trip_series,
                window_series,
                in_flight_series,
                mark_series,
                load_series,
            }
        };
        std::mem::take(&mut self.observers.recorder.sources).into_iter().map(outcome).collect()
    }

    fn queue_outcomes(&mut self) -> Vec<QueueOutcome> {
        let series = std::mem::take(&mut self.observers.recorder.queues);
        let pause_rules = self.components.pause_rules;
        let protects = |class: u8| pause_rules.protects(class);
        let outcome = |(number, series): (QueueNo, QueueSeries)| {
            let part = self.components.part_of_queue(number);
            // Each histogram is freed as soon as it has been evaluated, because there may be many.
            let length = self.components.parts[part].bridges.core_mut().take_dwell(number).statistics();
            let bridges = &self.components.parts[part].bridges;
            let queue = &bridges.core().queues()[number];
            let samples = queue.congestion_point.counters().samples;
            let is_bounded = bridges.shared().is_none();
            let QueuePlace { side, port, class } = bridges.core().queue_place(number);
            QueueOutcome {
                port,
                side,
                priority: self.components.classes.priorities[usize::from(class)],
                length,
                peak: Bytes::new(series.peak),
                dropped_frames: queue.dropped_frames,
                dropped: Bytes::new(queue.dropped),
                congestion_point: CpCounters { samples, notifications: queue.notifications },
                marked_frames: queue.congestion_point.marks(),
                culprits: bridges.culprit_counters(number),
                length_series: series.length,
                largest_series: series.largest,
                mean_series: series.mean,
                limit: (is_bounded && !protects(class)).then(|| Bytes::new(queue.limit)),
                notification_series: series.notifications.growth,
                mark_series: series.marks.growth,
            }
        };
        series.into_iter().map(outcome).collect()
    }

    fn port_outcomes(&mut self) -> Vec<PortOutcome> {
        let now = self.components.now;
        let series = std::mem::take(&mut self.observers.recorder.ports);
        let used = |port: PortId| {
            let (port, pause_state) = self.components.port(port);
            port.sent_frames > 0 || pause_state.pauses > 0
        };
        let outcome = |(id, series): (PortId, PortSeries)| {
            let (port, pause_state) = self.components.port(id);
            PortOutcome {
                port: id,
                sent_frames: port.sent_frames,
                sent: Bytes::new(port.sent),
                busy: port.busy_until(now) - series.busy_unmeasured,
                paused: pause_state.measured(port.paused, now),
                pauses: pause_state.pauses,
                sent_series: series.sent.growth,
                busy_series: series.busy,
                paused_series: series.paused,
            }
        };
        series.into_iter().filter(|(port, _)| used(*port)).map(outcome).collect()
    }

    fn message(&self, done: &Ended) -> MessageOutcome {
        MessageOutcome {
            flow: done.flow,
            size: Bytes::new(done.size),
            offered: done.offered,
            completed: done.completed,
            waited: done.waited,
            ideal: ideal_time(&self.components, done.conversation, done.size),
        }
    }

    fn incomplete(&self, message: &Ended) -> IncompleteMessage {
        IncompleteMessage {
            flow: message.flow,
            size: Bytes::new(message.size),
            offered: message.offered,
            fate: message.fate,
            waited: message.waited,
            ideal: ideal_time(&self.components, message.conversation, message.size),
        }
    }
}
