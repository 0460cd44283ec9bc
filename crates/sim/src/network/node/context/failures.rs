//! Frames lost on links that have failed.

use super::Context;
use crate::frame::{Frame, FrameKind};
use crate::ids::PortId;
use crate::network::node::books::LossCause;
use crate::network::node::link::End;
use crate::spec::Side;

/// When a frame was lost on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::network) enum LostOn {
    /// It was on the link when the link failed.
    Failing,
    /// It was sent after the link had failed.
    Sending,
}

impl Context {
    /// Records the loss of a frame on a link that has failed.
    #[cold]
    #[inline(never)]
    pub(in crate::network) fn lose_on_link(&mut self, link: PortId, frame: Frame, when: LostOn) {
        self.discard_report(frame);
        let losses = self.lost_on_links.entry(link).or_default();
        if frame.kind() != FrameKind::Data {
            losses.control_frames += 1;
            return;
        }
        let (frames, bytes) = match when {
            LostOn::Failing => (&mut losses.in_flight_frames, &mut losses.in_flight),
            LostOn::Sending => (&mut losses.sent_frames, &mut losses.sent),
        };
        *frames += 1;
        *bytes += frame.size();
        let is_unreachable = self.routes.is_unreachable(frame.conversation());
        let cause = if is_unreachable { LossCause::Unreachable } else { LossCause::Failure };
        self.lose(Side::Output, frame, cause);
    }

    /// Loses all frames in flight on a link that fails. Frames that have reached a station by now have arrived.
    pub(in crate::network) fn lose_in_flight(&mut self, link: PortId) {
        let leads_to_station = matches!(self.links[link].to, End::Station(_));
        if leads_to_station {
            self.deliver_due(link);
        }
        let mut lost: Vec<Frame> = Vec::new();
        let flight = &mut self.links[link].flight;
        // At a bridge, the arrival of every frame in flight is an event, so lost frames are kept as placeholders.
        flight.update(|flying| {
            lost.push(flying.frame);
            flying.frame = flying.frame.lost();
        });
        if leads_to_station {
            flight.truncate(0);
        }
        for frame in lost.into_iter().filter(|frame| frame.kind() != FrameKind::Lost) {
            self.lose_on_link(link, frame, LostOn::Failing);
        }
    }
}
