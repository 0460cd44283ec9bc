//! Theorem 1: averaging is equivalent to one more derivative.
//!
//! No network is simulated: the reaction points of `control` for system 1 and system 2 receive the same
//! random sequences of feedback, and their rates are compared after every message. The paper's equations are
//! compared in the same way, in floating-point arithmetic.

mod feedback;
mod systems;

use setpoint_control::aimd::{Averaging, Decrease};

use self::feedback::{Kind, Message, Sequences};
use self::systems::{Equations, Source};
use crate::prelude::*;

/// The number of sequences of each kind for each seed.
const SEQUENCES: usize = 250;

pub(super) fn experiment() -> Experiment {
    Experiment::new("allerton/theorem1", "The Averaging Principle as one more derivative")
        .setup(
            "System 1 averages: half a sampling interval after a message, it reverts half of the rate change. System 2 \
            does not average, but uses 3/4 of the current feedback minus 1/4 of the previous feedback. Both are the \
            reaction points that run in the simulator. For each seed, both receive the same thousand random sequences \
            of up to 400 messages.",
        )
        .paper_says(
            "Theorem 1: with the same initial rate and the same feedback sequence both systems send at the \
            same rate, Re[n] = R[n], from the first interval onwards. Re[n] is the mean of the two rates of \
            system 1 in interval n. Averaging therefore replaces the second derivative of the queue that a \
            switch would otherwise have to feed back.",
        )
        .assumptions([
            "Feedback is a rate change F, proportional to −(Qoff + 2 Qδ), rounded to whole bits per second, and \
            additive for both increases and decreases. The theorem is about a given sequence F[n], and a \
            multiplicative decrease would make F depend on the current rate of each system. That case is shown for \
            comparison.",
            "Rates are stored in quarters of a bit per second, so F, F/2, 3F/4 and F/4 are whole numbers. The \
            sequences never take a rate to its minimum or maximum, which the theorem does not consider.",
            "Each seed has 250 sequences of each of four kinds: independent messages, messages from a random walk of \
            the queue, alternating messages, and impulses.",
        ])
        .quick(1.0)
        .panels(panels)
        .claims([
            Claim::new(at("section III.C, theorem 1"), "identical-rates",
                "Re[n] of system 1 equals R[n] of system 2, for every sequence and every n.")
                .measure(Unit::BitsPerSecond, Rule::AtMost(0.0), |seed| {
                    Some(Differences::of_seed(seed.number()).exact_bps)
                })
                .fails_for(NO_AVERAGING, without_averaging)
                .read_as("Largest difference between the stored rates, over all messages in all sequences; it must be \
                    zero."),
            Claim::new(OURS, "identical-to-rounding",
                "When rounded down to whole bits per second, as in rate limiters, the two rates differ only by \
                rounding.",
            )
            .measure(Unit::BitsPerSecond, Rule::AtMost(1.0), |seed| {
                Some(Differences::of_seed(seed.number()).limiter_bps)
            })
                .fails_for(NO_AVERAGING, without_averaging)
            .read_as("Largest difference over all messages in all sequences; rounding errors are less than 1 b/s."),
            Claim::new(OURS, "algebra",
                "In floating-point arithmetic, the equations of both systems give the same rates.")
                .measure(Unit::BitsPerSecond, Rule::AtMost(1e-3), |seed| {
                    Some(Differences::of_seed(seed.number()).algebra_bps)
                })
                .fails_for(NO_AVERAGING, without_averaging)
                .read_as("Largest difference over all messages; 53-bit floating-point numbers near 10 Gb/s are 2e-6 \
                    b/s apart, and the errors of 400 additions may add up to a few hundred times that."),
        ])
}

const NO_AVERAGING: &str = "a source that does not average";

/// The largest difference between system 2 and a source that does not average.
fn without_averaging() -> Option<f64> {
    Some(Differences::of_seed(1).plain_bps)
}

/// The largest differences between the systems over several sequences.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Differences {
    /// Between Re[n] and R[n] as stored, in bits per second.
    exact_bps: f64,
    /// Between the same two rates as set at rate limiters.
    limiter_bps: f64,
    /// Between the two systems, both computed from the paper's equations.
    algebra_bps: f64,
    /// Between system 2 and a source that does not average.
    plain_bps: f64,
    /// Between both systems with a multiplicative decrease, relative to the rate.
    multiplicative: f64,
    /// Number of messages.
    messages: usize,
}

impl Differences {
    fn of_seed(seed: u64) -> Self {
        Kind::ALL.into_iter().map(|kind| Self::of_kind(seed, kind)).fold(Self::default(), Self::larger)
    }

    /// The differences over the sequences of one kind; each kind has a separate random stream.
    fn of_kind(seed: u64, kind: Kind) -> Self {
        let mut sequences = Sequences::new(seed, kind);
        (0..SEQUENCES).map(|_| Self::of_sequence(&sequences.draw())).fold(Self::default(), Self::larger)
    }

    fn of_sequence(messages: &[Message]) -> Self {
        let source = |averaging| Source::new(averaging, Decrease::Additive);
        let multiplicative = |averaging| Source::new(averaging, Decrease::Multiplicative);
        let [mut one, mut two, mut plain] =
            [Averaging::On, Averaging::Equivalent, Averaging::Off].map(source);
        let [mut other_one, mut other_two] = [Averaging::On, Averaging::Equivalent].map(multiplicative);
        let mut equations = Equations::slowed();
        let mut largest = Self { messages: messages.len(), ..Self::default() };
        for &message in messages {
            let (first, second) = (one.interval(message), two.interval(message));
            let (re, r) = equations.interval(message.change_bps());
            let (other_re, other_r) =
                (other_one.interval(message).mean_bps(), other_two.interval(message).mean_bps());
            largest = largest.larger(Self {
                exact_bps: (first.first + first.second).abs_diff(second.first + second.second) as f64 / 8.0,
                limiter_bps: first.limits.abs_diff(second.limits) as f64 / 2.0,
                algebra_bps: (re - r).abs(),
                plain_bps: (plain.interval(message).mean_bps() - second.mean_bps()).abs(),
                multiplicative: (other_re - other_r).abs() / other_r,
                messages: 0,
            });
        }
        largest
    }

    fn larger(self, other: Self) -> Self {
        Self {
            exact_bps: self.exact_bps.max(other.exact_bps),
            limiter_bps: self.limiter_bps.max(other.limiter_bps),
            algebra_bps: self.algebra_bps.max(other.algebra_bps),
            plain_bps: self.plain_bps.max(other.plain_bps),
            multiplicative: self.multiplicative.max(other.multiplicative),
            messages: self.messages + other.messages,
        }
    }
}

fn panels(runs: &Runs) -> Vec<Block> {
    let seeds: Vec<u64> = runs.seeds().map(|seed| seed.number()).collect();
    let headings = [
        "Messages",
        "Largest difference between Re and R",
        "between the rates set at limiters",
        "between the equations",
        "For comparison: difference without averaging",
        "For comparison: difference with multiplicative decrease, relative to the rate",
    ];
    let mut table = table::with_headings("Sequences", headings);
    for kind in Kind::ALL {
        let of_kind = |&seed: &u64| Differences::of_kind(seed, kind);
        let all = seeds.iter().map(of_kind).fold(Differences::default(), Differences::larger);
        table.row([
            Cell::words(kind.words()),
            Cell::words(Unit::Count.text(all.messages as f64)),
            Cell::words(Unit::BitsPerSecond.text(all.exact_bps)),
            Cell::words(Unit::BitsPerSecond.text(all.limiter_bps)),
            Cell::words(Unit::BitsPerSecond.text(all.algebra_bps)),
            Cell::words(Unit::BitsPerSecond.text(all.plain_bps)),
            Cell::words(Unit::Share.text(all.multiplicative)),
        ]);
    }
    let note = format!(
        "Over {} seeds with {SEQUENCES} sequences of each kind. The last two columns are not part of the theorem: they \
        show that the comparison detects differences.",
        seeds.len()
    );
    vec![Block::Figures(vec![course(runs.first().number())]), Block::Table(table), Block::Note(note)]
}

/// Number of messages in the figure.
const DRAWN: usize = 30;

/// The beginning of a sequence: the two rates of system 1, their mean, and the rate of system 2.
fn course(seed: u64) -> Figure {
    let messages: Vec<Message> = Sequences::new(seed, Kind::Walk).take(DRAWN);
    let [mut one, mut two, mut plain] = [Averaging::On, Averaging::Equivalent, Averaging::Off]
        .map(|averaging| Source::new(averaging, Decrease::Additive));
    let (mut rates, mut means, mut equals, mut plains) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (index, &message) in messages.iter().enumerate() {
        let at = index as f64;
        let interval = one.interval(message);
        rates.extend([(at, interval.first as f64 / 4.0), (at + 0.5, interval.second as f64 / 4.0)]);
        means.push((at + 0.5, interval.mean_bps()));
        equals.push((at + 0.5, two.interval(message).mean_bps()));
        plains.push((at + 0.5, plain.interval(message).mean_bps()));
    }
    let all = rates.iter().chain(&means).chain(&plains).map(|point: &(f64, f64)| point.1);
    let (low, high) =
        all.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), rate| (low.min(rate), high.max(rate)));
    let room = 0.05 * (high - low);
    let x = Axis::linear("Message", Unit::Count, (0.0, DRAWN as f64));
    let y = Axis::linear("Rate", Unit::BitsPerSecond, (low - room, high + room));
    let mut figure = Figure::new("course", "Both systems with the same sequence", x, y);
    figure.marks = vec![
        line("system 1: R1, then R2", Colour::Muted, Shape::Step, rates),
        line("without averaging", Colour::Series(2), Shape::Dashed, plains),
        line("system 1: mean Re", Colour::Series(0), Shape::Straight, means),
        line("system 2: R", Colour::Series(1), Shape::Dotted, equals),
    ];
    figure.alternative =
        "Rates over the first messages of a sequence: the mean rate of system 1 and the rate of \
        system 2 coincide."
            .to_owned();
    figure.note = format!("The first {DRAWN} messages of a random walk of the queue, seed {seed}.");
    figure
}
