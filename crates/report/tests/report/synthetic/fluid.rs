//! A fluid queue with QCN sources.

/// Deterministic pseudo-random numbers.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64
    }
}

struct Source {
    rate: f64,
    target: f64,
    sent: f64,
    timer: f64,
    cycles: u32,
    limited: bool,
}

const SET_POINT: f64 = 26_000.0;
pub(super) const LINE: f64 = 10e9;

/// The result of a fluid run.
pub(super) struct Fluid {
    pub(super) time: Vec<f64>,
    pub(super) rates: Vec<Vec<f64>>,
    pub(super) limits: Vec<Vec<Option<f64>>>,
    pub(super) notified: Vec<Vec<u32>>,
    pub(super) queue: Vec<f64>,
    pub(super) sent: Vec<u32>,
    pub(super) lengths: Vec<f64>,
}

/// QCN sources at one queue; the capacity falls to a tenth at 1 s and returns at 2 s.
pub(super) fn fluid(count: usize, samples: usize, duration: f64) -> Fluid {
    let mut numbers = Numbers(7);
    // With many sources the steps are coarser; this is not visible in the figures.
    let pace = 10e-6 * (count as f64 / 40.0).ceil();
    let mut sources: Vec<Source> = (0..count)
        .map(|_| Source {
            rate: LINE / count as f64,
            target: LINE,
            sent: 0.0,
            timer: 0.0,
            cycles: 5,
            limited: true,
        })
        .collect();
    let (mut queue, mut old, mut to_mark) = (0.0f64, 0.0f64, 150e3);
    let steps_per_sample = (duration / pace / samples as f64).round() as usize;
    let empty = || vec![Vec::with_capacity(samples); count];
    let mut run = Fluid {
        time: Vec::new(),
        rates: empty(),
        limits: vec![Vec::new(); count],
        notified: vec![Vec::new(); count],
        queue: Vec::new(),
        sent: Vec::new(),
        lengths: Vec::new(),
    };
    for sample in 0..samples {
        let mut bytes = vec![0.0; count];
        let mut heard = vec![0u32; count];
        for step in 0..steps_per_sample {
            let now = (sample * steps_per_sample + step) as f64 * pace;
            let capacity = if (1.0..2.0).contains(&now) { 1e9 } else { LINE };
            let total: f64 = sources.iter().map(|source| source.rate).sum();
            let arrived = total * pace / 8.0;
            let served = (queue + arrived).min(capacity * pace / 8.0);
            queue = (queue + arrived - served).min(1.5e6);
            to_mark -= arrived;
            for (source, bytes) in sources.iter_mut().zip(&mut bytes) {
                *bytes += served * source.rate / total;
                recover(source, pace, &mut numbers);
            }
            if to_mark < 0.0 {
                let feedback = (queue - SET_POINT) + 2.0 * (queue - old);
                let quantised = (feedback.clamp(0.0, 5.0 * SET_POINT) * 63.0 / (5.0 * SET_POINT)).floor();
                old = queue;
                to_mark = 150e3 / ((quantised / 8.0).floor() + 1.0) * (0.85 + 0.3 * numbers.uniform());
                if quantised > 0.0 {
                    let mut chosen = numbers.uniform() * total;
                    let index = sources.iter().position(|source| {
                        chosen -= source.rate;
                        chosen <= 0.0
                    });
                    let index = index.unwrap_or(0);
                    let source = &mut sources[index];
                    source.target = source.rate;
                    source.rate = (source.rate * (1.0 - quantised / 128.0)).max(5e6);
                    (source.sent, source.timer, source.cycles, source.limited) = (0.0, 0.0, 0, true);
                    heard[index] += 1;
                }
            }
            run.lengths.push(queue);
        }
        let span = steps_per_sample as f64 * pace;
        run.time.push((sample + 1) as f64 * span);
        run.queue.push(queue);
        run.sent.push(heard.iter().sum());
        for index in 0..count {
            run.rates[index].push(bytes[index] * 8.0 / span);
            run.limits[index].push(sources[index].limited.then_some(sources[index].rate));
            run.notified[index].push(heard[index]);
        }
    }
    run
}

/// Byte counter and timer: fast recovery, then active increase.
fn recover(source: &mut Source, pace: f64, numbers: &mut Numbers) {
    source.sent += source.rate * pace / 8.0;
    source.timer += pace;
    let expired = u32::from(source.sent > 150e3 * (0.85 + 0.3 * numbers.uniform()))
        + u32::from(source.timer > 15e-3 * (0.85 + 0.3 * numbers.uniform()));
    if expired > 0 {
        source.cycles += expired;
        if source.sent > 150e3 {
            source.sent = 0.0;
        }
        if source.timer > 13e-3 {
            source.timer = 0.0;
        }
        if source.cycles > 5 {
            source.target = (source.target + 5e6 * f64::from(expired)).min(LINE);
        }
        source.rate = f64::midpoint(source.rate, source.target).min(LINE);
    }
}
