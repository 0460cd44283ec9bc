//! Ports and links: departure, flight and arrival of frames.

use setpoint_units::Time;

use super::Network;
use super::port::{Toward, Wake};
use crate::events::Event;
use crate::frame::{Frame, FrameKind, InFlight};

impl Network {
    /// Puts a frame on the link of a port; its transmission begins at `start`, when the port is free.
    #[inline(always)]
    pub(super) fn transmit(&mut self, index: u32, frame: Frame, start: Time) {
        let port = &mut self.ports[index as usize];
        debug_assert!(port.free_at <= start, "port is busy");
        let span = port.occupy(frame.bytes);
        port.free_at = start + span;
        port.busy += span;
        if matches!(frame.kind, FrameKind::Data | FrameKind::Cell) {
            port.sent_frames += 1;
            port.sent += u64::from(frame.bytes);
        }
        let at = port.free_at + port.delay;
        let tapped = port.tapped;
        match port.toward {
            Toward::Bridge => {
                if port.flight.is_empty() {
                    self.events.push(at, Event::Arrive(index));
                }
                port.flight.push_back(InFlight { at, frame });
            }
            Toward::Station => {
                port.flight.push_back(InFlight { at, frame });
                if frame.kind == FrameKind::Data {
                    self.deliver_due(index);
                } else {
                    self.events.push(at, Event::Arrive(index));
                }
            }
        }
        if tapped {
            self.note(index, frame, start);
        }
    }

    /// Handles the arrival of the first frame in flight at the far end.
    #[inline]
    pub(super) fn arrive(&mut self, index: u32) {
        let port = &mut self.ports[index as usize];
        if port.toward == Toward::Station {
            return self.receive_due(index);
        }
        let Some(InFlight { frame, .. }) = port.flight.pop_front() else { return };
        if let Some(next) = port.flight.front() {
            self.events.push(next.at, Event::Arrive(index));
        }
        match frame.kind {
            FrameKind::Data => self.forward(frame),
            FrameKind::Notification => self.forward_notification(frame),
            FrameKind::Pause => self.apply_pause(index ^ 1, frame.pause_content()),
            FrameKind::Cell => self.cell_at_spine(index, frame),
        }
    }

    /// Sends the next frame of a bridge port that has finished a transmission.
    #[inline]
    pub(super) fn ready(&mut self, index: u32) {
        self.ports[index as usize].wake = Wake::Asleep;
        self.send_next(index);
    }

    /// Sends the first frame of a free bridge port: a pause frame if one is due, otherwise a frame of the
    /// highest class that may be sent.
    #[inline]
    pub(super) fn send_next(&mut self, index: u32) {
        if self.ports[index as usize].pause_frame_due {
            self.send_pause_frame(index);
        } else if let Some(class) = self.ports[index as usize].next_class() {
            let frame = self.dequeue(index, class);
            self.transmit(index, frame, self.now);
        }
        self.arm(index);
    }

    /// Schedules the wake-up of a busy bridge port that has something to send.
    #[inline]
    pub(super) fn arm(&mut self, index: u32) {
        let port = &mut self.ports[index as usize];
        let due = port.pause_frame_due || port.waiting & !port.paused != 0;
        if due && port.wake == Wake::Asleep {
            port.wake = Wake::Armed;
            self.events.push(port.free_at.max(self.now), Event::Ready(index));
        }
    }
}
