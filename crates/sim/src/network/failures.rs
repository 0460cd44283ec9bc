//! Failures and recoveries of links.
//!
//! A failure takes effect at both ends at once. Frames on the link are lost. A bridge still sends to the link, and its frames
//! are lost, until routes avoid the link; a station, which has no other link, holds its frames. Pauses end at both ends,
//! because a port that cannot be reached could never release its peer. When the link recovers, a port starts paused if the input at
//! its far end is still above its threshold, so that headroom remains sufficient. Routes change at stations after a
//! fixed delay: frames that have left their station keep their path.

use crate::frame::PauseCommand;
use crate::ids::{LinkId, PortId};
use crate::network::build::end_of;
use crate::network::components::Components;
use crate::network::node::link::End;
use crate::network::node::partition::Partition;
use crate::network::node::places::Place;
use crate::outcome::LinkLosses;

impl Components {
    /// Makes a link fail.
    pub(in crate::network) fn disconnect(&mut self, link: LinkId) {
        for port in [link.forward(), link.backward()] {
            let (own, far) = (self.owners[port], self.owners[port.peer()]);
            // On a link between partitions, frames that have been sent are at its far end.
            for part in [own.part, far.part] {
                self.parts[part].cx.lose_in_flight(port);
            }
            self.parts[own.part].cx.links[port].to = match far.place {
                Place::Station(station) => End::BrokenToStation(station),
                Place::Bridge(_) => End::Broken,
            };
        }
        self.at_both_ends(link, |Partition { cx, stations, bridges, .. }, place| match place {
            Place::Station(station) => stations.disconnect(cx, station),
            Place::Bridge(port) => bridges.disconnect(cx, port),
        });
    }

    /// Makes a link that failed carry frames again.
    pub(in crate::network) fn reconnect(&mut self, link: LinkId) {
        for port in [link.forward(), link.backward()] {
            let part = self.owners[port].part;
            self.parts[part].cx.links[port].to = end_of(&self.owners, port, part);
        }
        self.at_both_ends(link, |Partition { cx, bridges, .. }, place| {
            if let Place::Bridge(input) = place {
                bridges.ask_again(cx, input);
            }
        });
        for port in [link.forward(), link.backward()] {
            let (own, command) = (self.owners[port], self.pause_of(port));
            let Partition { cx, stations, bridges, .. } = &mut *self.parts[own.part];
            match own.place {
                Place::Station(station) => stations.reconnect(cx, station, command),
                Place::Bridge(port) => {
                    if let Some(command) = command {
                        bridges.obey(cx, port, command);
                    }
                }
            }
        }
    }

    /// The pause that the far end of a port's link requests, if any.
    fn pause_of(&self, port: PortId) -> Option<PauseCommand> {
        let (part, input) = self.far_input(port)?;
        let classes = part.bridges.core().input(input).asked();
        let quanta = self.pause_rules.quanta;
        (classes != 0).then_some(PauseCommand { classes, stop: classes, quanta })
    }

    fn at_both_ends(&mut self, link: LinkId, act: impl Fn(&mut Partition, Place)) {
        for port in [link.forward(), link.backward()] {
            let own = self.owners[port];
            act(&mut self.parts[own.part], own.place);
        }
    }

    /// Makes a route change take effect.
    pub(in crate::network) fn reroute(&mut self, change: usize) {
        for part in self.parts.iter_mut() {
            let Partition { cx, stations, .. } = &mut **part;
            cx.routes.change(change);
            stations.reroute(&cx.routes);
        }
    }

    /// Frames lost on links that failed, by the port that sent them.
    pub(in crate::network) fn losses_of(&self, port: PortId) -> LinkLosses {
        let own = self.parts.iter().filter_map(|part| part.cx.lost_on_links.get(&port));
        own.fold(LinkLosses::default(), LinkLosses::with)
    }
}
