//! Samples waiting to be sent to the page.

use serde_json::{Value, json};
use setpoint_sim::{Sample, thin};
use setpoint_units::TimeDelta;

use super::shown::Shown;

/// Maximum number of samples. If there are more, each pair is merged into one, so that a page that reads slowly does
/// not exhaust memory.
const MOST: usize = 2_000;

/// Samples since the last message, by column.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    time: Vec<f64>,
    queue_length: Vec<Vec<u64>>,
    queue_largest: Vec<Vec<u64>>,
    queue_mean: Vec<Vec<u64>>,
    queue_notifications: Vec<Vec<u32>>,
    rate: Vec<Vec<u64>>,
    limit: Vec<Vec<Option<u64>>>,
    flow_notifications: Vec<Vec<u32>>,
    /// Share of each interval in which a port transmits, in thousandths.
    busy: Vec<Vec<u16>>,
    paused: Vec<Vec<u16>>,
}

impl Batch {
    /// An empty batch for the shown flows, queues and ports of a sample.
    pub(super) fn new(shown: &Shown, sample: &Sample) -> Self {
        let (flows, queues) = (shown.flows, shown.queues.len());
        let ports = sample.ports.len().min(shown.ports);
        Self {
            time: Vec::new(),
            queue_length: vec![Vec::new(); queues],
            queue_largest: vec![Vec::new(); queues],
            queue_mean: vec![Vec::new(); queues],
            queue_notifications: vec![Vec::new(); queues],
            rate: vec![Vec::new(); flows],
            limit: vec![Vec::new(); flows],
            flow_notifications: vec![Vec::new(); flows],
            busy: vec![Vec::new(); ports],
            paused: vec![Vec::new(); ports],
        }
    }

    pub(super) fn push(&mut self, shown: &Shown, sample: &Sample) {
        self.time.push(sample.at.as_secs_f64());
        for (place, &index) in shown.queues.iter().enumerate() {
            let queue = &sample.queues[index];
            self.queue_length[place].push(queue.length);
            self.queue_largest[place].push(queue.largest);
            self.queue_mean[place].push(queue.mean);
            self.queue_notifications[place].push(queue.notifications);
        }
        let span = sample.span.as_picos().max(1);
        for (place, flow) in sample.flows.iter().take(shown.flows).enumerate() {
            let bits = u128::from(flow.delivered) * 8_000_000_000_000 / u128::from(span);
            self.rate[place].push(bits as u64);
            self.limit[place].push(flow.limit.map(setpoint_units::Rate::bits_per_second));
            self.flow_notifications[place].push(flow.notifications);
        }
        for (place, port) in sample.ports.iter().take(shown.ports).enumerate() {
            let share = |part: TimeDelta| (u128::from(part.as_picos()) * 1_000 / u128::from(span)) as u16;
            self.busy[place].push(share(port.busy));
            self.paused[place].push(share(port.paused));
        }
        if self.time.len() > MOST {
            self.thin();
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// Halves the number of samples. Counts are added, the larger of two lengths is kept, and means and rates are averaged.
    fn thin(&mut self) {
        thin::last(&mut self.time);
        self.queue_length.iter_mut().chain(&mut self.queue_largest).for_each(thin::largest);
        self.queue_mean.iter_mut().chain(&mut self.rate).for_each(thin::mean);
        self.queue_notifications.iter_mut().chain(&mut self.flow_notifications).for_each(thin::summed);
        self.limit.iter_mut().for_each(thin::last);
        self.busy.iter_mut().chain(&mut self.paused).for_each(thin::mean);
    }

    /// Takes all samples, as JSON.
    pub(super) fn take(&mut self) -> Value {
        let shares = |columns: &[Vec<u16>]| -> Vec<Vec<f64>> {
            columns
                .iter()
                .map(|column| column.iter().map(|share| f64::from(*share) / 1e3).collect())
                .collect()
        };
        let value = json!({
            "time_s": self.time,
            "queue_bytes": self.queue_length,
            "queue_max_bytes": self.queue_largest,
            "queue_mean_bytes": self.queue_mean,
            "queue_notifications": self.queue_notifications,
            "rate_bps": self.rate,
            "limit_bps": self.limit,
            "flow_notifications": self.flow_notifications,
            "port_share": shares(&self.busy),
            "port_paused": shares(&self.paused),
        });
        self.clear();
        value
    }

    fn clear(&mut self) {
        self.time.clear();
        self.queue_length
            .iter_mut()
            .chain(&mut self.queue_largest)
            .chain(&mut self.queue_mean)
            .chain(&mut self.rate)
            .for_each(Vec::clear);
        self.queue_notifications.iter_mut().chain(&mut self.flow_notifications).for_each(Vec::clear);
        self.limit.iter_mut().for_each(Vec::clear);
        self.busy.iter_mut().chain(&mut self.paused).for_each(Vec::clear);
    }
}
