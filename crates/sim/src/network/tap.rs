//! Frames that are to be passed to an observer.
//!
//! A frame is recorded when it is put on a link. Its transmission may begin later, and the frame may be recalled until then
//! ([`super::bridge`]), so it is passed on once the clock has moved past its start. No frame can be recorded for a time in
//! the past, so frames are passed on in chronological order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use setpoint_units::{Bytes, Time};

use super::Network;
use super::bridge::place_of_point;
use super::context::Context;
use super::partition::Partition;
use super::pause::Counting;
use super::places::{Owner, Place};
use crate::frame::{Frame, FrameKind};
use crate::ids::{PortId, PrioritySet};
use crate::monitor::Monitor;
use crate::passing::{PassingContent, PassingFrame};
use crate::spec::Spec;

/// The number of frames that are collected before they are passed on, unless a sample interval ends first.
const COLLECTED: usize = 4096;

/// The frames of observed ports.
#[derive(Debug, Default)]
pub(super) struct Tap {
    /// Frames that may still be recalled, and frames that begin now, by start and port.
    pending: BinaryHeap<Reverse<Noted>>,
    /// Frames whose transmission has begun, in order.
    begun: Vec<Noted>,
}

#[derive(Clone, Copy, Debug)]
struct Noted {
    start: Time,
    port: PortId,
    frame: Frame,
}

impl Noted {
    fn key(&self) -> (Time, PortId) {
        (self.start, self.port)
    }
}

impl PartialEq for Noted {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Noted {}

impl PartialOrd for Noted {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Noted {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl Tap {
    /// Moves frames whose transmission began before `now`.
    fn settle(&mut self, now: Time) {
        while self.pending.peek().is_some_and(|Reverse(first)| first.start < now) {
            self.begun.extend(self.pending.pop().map(|Reverse(noted)| noted));
        }
    }
}

impl Context {
    /// Records a frame that an observed port puts on its link.
    #[cold]
    #[inline(never)]
    pub(super) fn note(&mut self, port: PortId, frame: Frame, start: Time) {
        let Some(tap) = &mut self.tap else { return };
        tap.settle(self.now);
        tap.pending.push(Reverse(Noted { start, port, frame }));
        // With several partitions, frames are passed on after each window.
        if tap.begun.len() >= COLLECTED && self.is_alone() {
            self.interrupt();
        }
    }

    /// Discards frames of a port that were recalled.
    pub(super) fn unnote(&mut self, port: PortId, first: Time) {
        if let Some(tap) = &mut self.tap {
            tap.pending.retain(|Reverse(noted)| noted.port != port || noted.start < first);
        }
    }
}

impl Network {
    /// Marks the ports that the monitor observes. The links inside a distributed bridge carry no frames.
    pub(super) fn tap(&mut self, spec: &Spec, monitor: &dyn Monitor) {
        for port in spec.topology.ports().filter(|port| !spec.topology.is_inside(*port)) {
            if monitor.observes(port) {
                let Owner { part, place } = self.owners[port];
                let Partition { cx, stations, bridges, .. } = &mut *self.parts[part];
                match place {
                    Place::Station(station) => stations.tap(station),
                    Place::Bridge(port) => bridges.tap(port),
                }
                cx.tap.get_or_insert_default();
            }
        }
    }

    /// Passes on the frames whose transmission began before `now`.
    pub(super) fn pass_on(&mut self, now: Time, monitor: &mut dyn Monitor) {
        let mut begun: Vec<Noted> = Vec::new();
        for tap in self.parts.iter_mut().filter_map(|part| part.cx.tap.as_mut()) {
            tap.settle(now);
            begun.append(&mut tap.begun);
        }
        begun.sort_unstable();
        for noted in begun {
            monitor.passes(&self.passing(&noted));
        }
    }

    fn passing(&self, noted: &Noted) -> PassingFrame {
        let Noted { start, port, frame } = noted;
        let length = Bytes::new(u64::from(frame.bytes()));
        PassingFrame { at: *start, port: *port, length, content: self.content(*frame) }
    }

    fn content(&self, frame: Frame) -> PassingContent {
        let (flow, classes) = (self.routes.flow_of(frame), &self.classes);
        let priority = classes.priorities[usize::from(frame.class())];
        match frame.kind() {
            FrameKind::Data => PassingContent::Data { flow, priority, mark: frame.mark() },
            FrameKind::Notification => {
                let (signal, point) = frame.signal_content();
                let from = place_of_point(point, classes, self.owners.len());
                PassingContent::Notification { flow, priority, from, signal }
            }
            FrameKind::Pause => self.pause_seen(frame),
            FrameKind::Reply => {
                PassingContent::Reply { flow, priority, acknowledges: frame.report().is_some() }
            }
        }
    }

    fn pause_seen(&self, frame: Frame) -> PassingContent {
        let command = frame.pause_content();
        match self.pause_rules.counting {
            Counting::WholeLink if command.stop == 0 => PassingContent::Pause { quanta: 0 },
            Counting::WholeLink => PassingContent::Pause { quanta: command.quanta },
            Counting::PerClass => PassingContent::Pfc {
                stop: self.priorities_in(command.stop),
                resume: self.priorities_in(command.classes & !command.stop),
                quanta: command.quanta,
            },
        }
    }

    fn priorities_in(&self, classes: u8) -> PrioritySet {
        let chosen = self.classes.in_set(classes).map(|class| self.classes.priorities[class as usize]);
        chosen.fold(PrioritySet::NONE, PrioritySet::with)
    }
}
