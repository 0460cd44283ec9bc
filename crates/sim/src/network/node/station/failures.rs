//! Failures and recoveries of links at stations.

use super::{Sender, Stations};
use crate::frame::PauseCommand;
use crate::index::StationNo;
use crate::network::node::context::Context;
use crate::network::node::routes::Routes;
use crate::network::node::traces::Content;

impl Stations {
    /// Makes a station whose link has failed hold its frames.
    pub(in crate::network) fn disconnect(&mut self, cx: &mut Context, number: StationNo) {
        let station = &mut self.stations[number];
        if station.pause_state.disconnect(&mut station.port, cx.now) {
            cx.trace(Content::Held { port: station.port.id, classes: 0 });
        }
        station.pause_state.hold(&mut station.port, true);
    }

    /// Lets a station whose link has recovered send its frames, except those of classes that are paused from the start.
    pub(in crate::network) fn reconnect(
        &mut self,
        cx: &mut Context,
        number: StationNo,
        pause: Option<PauseCommand>,
    ) {
        let station = &mut self.stations[number];
        station.pause_state.hold(&mut station.port, false);
        if let Some(command) = pause {
            self.obey(cx, number, command);
        }
        self.send_replies(cx, number);
    }

    /// Makes all senders use the current paths of their conversations.
    pub(in crate::network) fn reroute(&mut self, routes: &Routes) {
        for Sender { hop, conversation, .. } in self.senders.iter_mut() {
            *hop = routes.way_of(*conversation).0;
        }
    }
}
