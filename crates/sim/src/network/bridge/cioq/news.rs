//! What leaves and spines tell each other about cells.
//!
//! Between bridges of one partition, it is heard at once; to those of another, it is sent at the end of the window. Either way,
//! it takes effect only later.

use setpoint_units::Time;

use super::super::super::context::Context;
use super::super::Bridges;
use super::Cioq;
use super::interior::Arriving;
use crate::index::{BridgeNo, Number, PortNo, RecordNo};
use crate::prefetch::prefetch;

/// News of a cell. It is kept small, because there are three items for each cell: 18 for a frame of 1522 bytes.
#[derive(Clone, Copy, Debug)]
pub(in super::super::super) enum CellNews {
    /// It is on its way to a port of a spine.
    Coming { port: PortNo, arriving: Arriving },
    /// A leaf, which has a record of its frame, will have received it at a time.
    Expected { leaf: BridgeNo, record: RecordNo, at: Time },
    /// A port of a leaf can use its room at the spine from a time on.
    Room { port: PortNo, usable: Time },
}

/// How many items are loaded before they are heard. Each of them touches a different place in memory.
const AHEAD: usize = 16;

impl Bridges {
    /// Tells a bridge some news.
    #[inline]
    pub(super) fn tell(&mut self, cx: &mut Context, to: BridgeNo, news: CellNews) {
        if self.cioq().is_here(to) {
            self.hear(cx, news);
        } else {
            cx.outbox.batch_for(cx.part_of[to.place()]).cells.push(news);
        }
    }

    #[inline]
    fn hear(&mut self, cx: &mut Context, news: CellNews) {
        match news {
            CellNews::Coming { port, arriving } => self.launch_cell(cx, port, arriving),
            CellNews::Expected { leaf, record, at } => self.expect_cell(cx, leaf, record, at),
            CellNews::Room { port, usable } => self.return_room(cx, port, usable),
        }
    }

    /// Hears news from another partition.
    pub(in super::super::super) fn hear_all(&mut self, cx: &mut Context, news: &[CellNews]) {
        for (place, &one) in news.iter().enumerate() {
            if let (Some(cioq), Some(later)) = (&self.cioq, news.get(place + AHEAD)) {
                cioq.look_at_news(later);
            }
            self.hear(cx, one);
        }
    }
}

impl Cioq {
    /// Loads what an item is about.
    #[inline]
    fn look_at_news(&self, news: &CellNews) {
        let Some(interior) = &self.interior else { return };
        match *news {
            CellNews::Coming { port, .. } => prefetch(&interior.spine_inputs[port]),
            CellNews::Expected { leaf, record, .. } => prefetch(&self.records[leaf][record]),
            CellNews::Room { port, .. } => prefetch(&interior.uplinks[port]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn news_is_small() {
        assert!(size_of::<CellNews>() <= 24);
    }
}
