//! The iterations of a collective operation.

use setpoint_units::{Bytes, TimeDelta};

use super::{Collective, Pattern, RankMessage};

impl Collective {
    /// Its messages, ordered by iteration. Computations are among them.
    ///
    /// # Panics
    /// Panics if the operation is impossible ([`Collective::fault`]).
    pub fn messages(&self) -> Vec<RankMessage> {
        assert_eq!(self.fault(), None, "an impossible operation");
        let one = self.iteration();
        let ends = Ends::of(&one, self.ranks);
        let mut all = Vec::with_capacity(one.len() * self.iterations as usize);
        let mut before: Option<usize> = None;
        for iteration in 0..self.iterations {
            let begins = self.begin(&one, &ends, before, iteration, &mut all);
            let offset = all.len();
            all.extend(one.iter().map(|message| {
                let mut after: Vec<usize> = message.after.iter().map(|place| place + offset).collect();
                if after.is_empty() {
                    after.extend(begins[message.from as usize]);
                }
                RankMessage { iteration, after, ..message.clone() }
            }));
            before = Some(offset);
        }
        all
    }

    /// Adds the computation with which each rank begins an iteration, after it has received and sent all messages of the
    /// one before; returns the positions of these computations.
    fn begin(
        &self,
        one: &[RankMessage],
        ends: &Ends,
        before: Option<usize>,
        iteration: u32,
        all: &mut Vec<RankMessage>,
    ) -> Vec<Option<usize>> {
        let gap = if self.pattern == Pattern::Pipeline { TimeDelta::ZERO } else { self.compute };
        let mut begins = vec![None; self.ranks as usize];
        if before.is_none() && gap.is_zero() {
            return begins;
        }
        for first in one.iter().filter(|message| message.after.is_empty()) {
            let begin = &mut begins[first.from as usize];
            if begin.is_none() {
                *begin = Some(all.len());
                let last = ends.of_rank[first.from as usize].iter();
                let after = before.map_or(Vec::new(), |offset| last.map(|place| place + offset).collect());
                all.push(RankMessage { iteration, step: 0, size: Bytes::ZERO, gap, after, ..first.clone() });
            }
        }
        begins
    }
}

/// For each rank, the messages that it receives or sends and that none of its own messages waits for.
struct Ends {
    of_rank: Vec<Vec<usize>>,
}

impl Ends {
    fn of(messages: &[RankMessage], ranks: u32) -> Self {
        // For each message, whether its sender and whether its receiver waits for it.
        let mut awaited = vec![(false, false); messages.len()];
        for message in messages {
            for &place in &message.after {
                let (by_sender, by_receiver) = &mut awaited[place];
                *(if messages[place].from == message.from { by_sender } else { by_receiver }) = true;
            }
        }
        let mut of_rank = vec![Vec::new(); ranks as usize];
        for (place, (message, (by_sender, by_receiver))) in messages.iter().zip(awaited).enumerate() {
            if !by_sender {
                of_rank[message.from as usize].push(place);
            }
            if !by_receiver && !message.size.is_zero() {
                of_rank[message.to as usize].push(place);
            }
        }
        Self { of_rank }
    }
}
