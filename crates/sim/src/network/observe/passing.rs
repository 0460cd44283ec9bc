//! Frames that are passed to an observer.

use setpoint_units::{Bytes, Time};

use crate::frame::{Frame, FrameKind};
use crate::ids::PrioritySet;
use crate::monitor::Monitor;
use crate::network::components::Components;
use crate::network::node::bridge::place_of_point;
use crate::network::node::just_before;
use crate::network::node::partition::Partition;
use crate::network::node::pause::Counting;
use crate::network::node::places::{Owner, Place};
use crate::network::node::tap::Noted;
use crate::passing::{PassingContent, PassingFrame};
use crate::spec::Spec;

/// Marks the ports that the monitor observes. The links inside a distributed bridge carry no frames.
pub(in crate::network) fn tap(net: &mut Components, spec: &Spec, monitor: &dyn Monitor) {
    for port in spec.topology.ports().filter(|port| !spec.topology.is_inside(*port)) {
        if monitor.observes(port) {
            let Owner { part, place } = net.owners[port];
            let Partition { cx, stations, bridges, .. } = &mut *net.parts[part];
            match place {
                Place::Station(station) => stations.tap(station),
                Place::Bridge(port) => bridges.core_mut().tap(port),
            }
            cx.tap.get_or_insert_default();
        }
    }
}

/// Passes on the frames whose transmission began before `now`.
pub(in crate::network) fn pass_on(net: &mut Components, now: Time, monitor: &mut dyn Monitor) {
    let mut begun: Vec<Noted> = Vec::new();
    for part in net.parts.iter_mut() {
        let Partition { cx, bridges, .. } = &mut **part;
        if cx.tap.is_some() && cx.rules.bridges.departures {
            // Frames that are marked as they depart get their marks.
            bridges.core_mut().settle(cx, just_before(now));
        }
        if let Some(tap) = &mut cx.tap {
            tap.settle(now);
            begun.append(&mut tap.begun);
        }
    }
    begun.sort_unstable();
    for noted in begun {
        monitor.passes(&passing(net, &noted));
    }
}

fn passing(net: &Components, noted: &Noted) -> PassingFrame {
    let Noted { start, port, frame } = noted;
    let length = Bytes::new(u64::from(frame.bytes()));
    PassingFrame { at: *start, port: *port, length, content: content(net, *frame) }
}

fn content(net: &Components, frame: Frame) -> PassingContent {
    let (flow, classes) = (net.routes.flow_of(frame), &net.classes);
    let priority = classes.priorities[usize::from(frame.class())];
    match frame.kind() {
        FrameKind::Data => PassingContent::Data { flow, priority, mark: frame.mark() },
        FrameKind::Notification => {
            let (signal, point) = frame.signal_content();
            let from = place_of_point(point, classes, net.owners.len());
            PassingContent::Notification { flow, priority, from, signal }
        }
        FrameKind::Pause => pause_seen(net, frame),
        FrameKind::Reply => PassingContent::Reply { flow, priority, acknowledges: frame.report().is_some() },
        FrameKind::Lost => unreachable!("no port sends the remains of a frame"),
    }
}

fn pause_seen(net: &Components, frame: Frame) -> PassingContent {
    let command = frame.pause_content();
    match net.pause_rules.counting {
        Counting::WholeLink if command.stop == 0 => PassingContent::Pause { quanta: 0 },
        Counting::WholeLink => PassingContent::Pause { quanta: command.quanta },
        Counting::PerClass => PassingContent::Pfc {
            stop: priorities_in(net, command.stop),
            resume: priorities_in(net, command.classes & !command.stop),
            quanta: command.quanta,
        },
    }
}

fn priorities_in(net: &Components, classes: u8) -> PrioritySet {
    let chosen = net.classes.in_set(classes).map(|class| net.classes.priorities[class as usize]);
    chosen.fold(PrioritySet::NONE, PrioritySet::with)
}
