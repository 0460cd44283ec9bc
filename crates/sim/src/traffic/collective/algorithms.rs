//! The messages of one iteration of each operation. Positions count from the first message of the iteration; without
//! anything to wait for, a message begins the iteration at its rank.

use setpoint_units::{Bytes, TimeDelta};

use super::{Collective, Pattern, RankMessage};

impl Collective {
    /// The messages of an iteration.
    pub(super) fn iteration(&self) -> Vec<RankMessage> {
        let ranks = self.ranks;
        match self.pattern {
            Pattern::RingAllReduce => self.ring(2 * (ranks - 1), ranks - 1),
            Pattern::AllGather => self.ring(ranks - 1, 0),
            Pattern::ReduceScatter => self.reduce_scatter(),
            Pattern::HalvingDoubling => self.halving_doubling(),
            Pattern::AllToAll => self.all_to_all(),
            Pattern::ShiftedAllToAll => self.shifted(),
            Pattern::Pipeline => self.pipeline(),
            Pattern::Barrier => self.barrier(),
        }
    }

    /// The size of one of `ranks` parts of the data. The first parts are one byte larger if the size cannot be divided.
    fn chunk(&self, index: u32) -> Bytes {
        let (size, ranks) = (self.size.get(), u64::from(self.ranks));
        Bytes::new(size / ranks + u64::from(u64::from(index) < size % ranks))
    }

    /// The size of several parts.
    fn chunks(&self, first: u32, count: u32) -> Bytes {
        (first..first + count).fold(Bytes::ZERO, |sum, index| sum + self.chunk(index))
    }

    /// The position of a rank's message in a step in which every rank sends one message.
    fn place(&self, step: u32, rank: u32) -> usize {
        (step * self.ranks + rank) as usize
    }

    fn message(from: u32, to: u32, step: u32, size: Bytes) -> RankMessage {
        RankMessage { from, to, iteration: 0, step, size, gap: TimeDelta::ZERO, after: Vec::new() }
    }

    /// In step k, rank r sends part r − k, which it received and, in the first `reducing` steps, reduced before.
    fn ring(&self, steps: u32, reducing: u32) -> Vec<RankMessage> {
        let ranks = self.ranks;
        let mut messages = Vec::with_capacity((steps * ranks) as usize);
        for step in 0..steps {
            for rank in 0..ranks {
                let part = (rank + ranks - step % ranks) % ranks;
                let mut message = Self::message(rank, (rank + 1) % ranks, step, self.chunk(part));
                if step > 0 {
                    message.after.push(self.place(step - 1, (rank + ranks - 1) % ranks));
                    message.gap = if step <= reducing { self.reduce } else { TimeDelta::ZERO };
                }
                messages.push(message);
            }
        }
        messages
    }

    /// A ring whose last reduction is a computation.
    fn reduce_scatter(&self) -> Vec<RankMessage> {
        let ranks = self.ranks;
        let mut messages = self.ring(ranks - 1, ranks - 1);
        if !self.reduce.is_zero() {
            for rank in 0..ranks {
                let last = self.place(ranks - 2, (rank + ranks - 1) % ranks);
                let end = Self::message(rank, (rank + 1) % ranks, ranks - 2, Bytes::ZERO);
                messages.push(RankMessage { gap: self.reduce, after: vec![last], ..end });
            }
        }
        messages
    }

    /// The partner of a rank in each step. In the first half of the steps, the distance is halved, and the partner receives
    /// the half of the common parts that it keeps; then the distance is doubled, and it receives the parts of the sender.
    fn halving_doubling(&self) -> Vec<RankMessage> {
        let (ranks, log) = (self.ranks, self.ranks.ilog2());
        let distance = |step: u32| if step < log { ranks >> (step + 1) } else { 1 << (step - log) };
        let mut messages = Vec::with_capacity((2 * log * ranks) as usize);
        for step in 0..2 * log {
            for rank in 0..ranks {
                let distance_now = distance(step);
                let partner = rank ^ distance_now;
                let owner = if step < log { partner } else { rank };
                let size = self.chunks(owner & !(distance_now - 1), distance_now);
                let mut message = Self::message(rank, partner, step, size);
                if step > 0 {
                    message.after.push(self.place(step - 1, rank ^ distance(step - 1)));
                    message.gap = if step <= log { self.reduce } else { TimeDelta::ZERO };
                }
                messages.push(message);
            }
        }
        messages
    }

    fn all_to_all(&self) -> Vec<RankMessage> {
        let ranks = self.ranks;
        let to = |rank: u32| (1..ranks).map(move |shift| (rank, (rank + shift) % ranks));
        (0..ranks).flat_map(to).map(|(from, to)| Self::message(from, to, 0, self.chunk(to))).collect()
    }

    fn shifted(&self) -> Vec<RankMessage> {
        let ranks = self.ranks;
        let exchange = |rank: u32, shift: u32| {
            let to = (rank + shift) % ranks;
            Self::message(rank, to, shift - 1, self.chunk(to))
        };
        self.rounds(ranks - 1, |step| step + 1, exchange)
    }

    fn barrier(&self) -> Vec<RankMessage> {
        let ranks = self.ranks;
        let signal =
            |rank: u32, shift: u32| Self::message(rank, (rank + shift) % ranks, shift.ilog2(), self.size);
        self.rounds(self.pattern.steps(ranks, 1), |step| 1 << step, signal)
    }

    /// Rounds in which every rank sends a message over some distance, after it has sent and received those of the round
    /// before.
    fn rounds(
        &self,
        count: u32,
        shift: impl Fn(u32) -> u32,
        message: impl Fn(u32, u32) -> RankMessage,
    ) -> Vec<RankMessage> {
        let ranks = self.ranks;
        let mut messages = Vec::with_capacity((count * ranks) as usize);
        for step in 0..count {
            for rank in 0..ranks {
                let mut message = message(rank, shift(step));
                if let Some(before) = step.checked_sub(1) {
                    let sender = (rank + ranks - shift(before) % ranks) % ranks;
                    message.after = vec![self.place(before, sender), self.place(before, rank)];
                }
                messages.push(message);
            }
        }
        messages
    }

    /// A rank computes one part after another.
    fn pipeline(&self) -> Vec<RankMessage> {
        let senders = self.ranks - 1;
        // The last message or computation of each rank, and the last message to it.
        let mut computed: Vec<Option<usize>> = vec![None; self.ranks as usize];
        let mut messages = Vec::new();
        for part in 0..self.parts {
            let mut received = None;
            for rank in 0..senders {
                let mut message = Self::message(rank, rank + 1, rank + part, self.size);
                message.after.extend(received);
                if !self.compute.is_zero() {
                    let computation = RankMessage { size: Bytes::ZERO, gap: self.compute, ..message.clone() };
                    let before = computed[rank as usize].replace(messages.len());
                    message.after = vec![messages.len()];
                    messages.push(computation);
                    messages.last_mut().into_iter().for_each(|last| last.after.extend(before));
                }
                received = Some(messages.len());
                messages.push(message);
            }
        }
        messages
    }
}
