//! The samples of a running network, for a monitor that requests them.

use setpoint_units::TimeDelta;

use crate::network::components::Components;
use crate::network::node::bridge::QueuePlace;
use crate::network::observe::recorder::Recorder;
use crate::sample::{PortSample, QueueSample, Sample, SourceSample};

impl Recorder {
    /// Describes the interval that has just been recorded. Replaces the sample of the previous interval.
    pub(in crate::network) fn describe(&self, net: &Components, sample: &mut Sample) {
        sample.span = net.now - sample.at;
        sample.at = net.now;
        sample.flows.clear();
        sample.flows.extend(self.flows.iter().map(|series| series.last));
        sample.sources.clear();
        sample.sources.extend(self.sources.iter().map(|(flow, curves)| SourceSample {
            flow: *flow,
            round_trip: last(&curves.round_trip_series),
            window: last(&curves.window_series),
            in_flight: last(&curves.in_flight_series),
            marks: last(&curves.mark_series),
            load: last(&curves.load_series),
        }));
        sample.queues.clear();
        sample.queues.extend(self.queues.iter().map(|(queue, series)| {
            let QueuePlace { side, port, class } =
                net.parts[net.part_of_queue(*queue)].bridges.core().queue_place(*queue);
            QueueSample {
                port,
                side,
                priority: net.classes.priorities[usize::from(class)],
                length: last(&series.length),
                largest: last(&series.largest),
                mean: last(&series.mean),
                notifications: last(&series.notifications.growth),
                marks: last(&series.marks.growth),
            }
        }));
        sample.ports.clear();
        sample.ports.extend(self.ports.iter().map(|(port, series)| PortSample {
            port: *port,
            busy: last::<TimeDelta>(&series.busy),
            paused: last::<TimeDelta>(&series.paused),
        }));
    }
}

fn last<T: Copy + Default>(series: &[T]) -> T {
    series.last().copied().unwrap_or_default()
}
