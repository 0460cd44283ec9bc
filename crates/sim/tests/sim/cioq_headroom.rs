//! An input buffer that is just large enough for XOFF and headroom loses nothing.

use crate::support::{DATA, cioq, flow, no_control, spec, thresholds};
use proptest::prelude::*;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Bridges, Cioq, FlowControl, FlowSpec, NodeId, PauseParams, Priority, PrioritySet, Side, Spec, SpecError,
    Topology, Unwatched, simulate, validate,
};
use setpoint_units::{Bytes, Rate, TimeDelta};

/// Stations a, b and c around a bridge. a and b send to c; c sends back to both, which delays their pause
/// frames.
#[derive(Clone, Debug)]
struct Case {
    gigabits: [u64; 3],
    picos: u64,
    frames: Vec<u64>,
    overhead: u64,
    unit: u64,
    xoff: u64,
    buffer: u64,
    whole_link: bool,
    seed: u64,
}

fn cases() -> impl Strategy<Value = Case> {
    let gigabits = prop::sample::select(vec![1, 10, 10, 10, 40]);
    let frames = prop::sample::select(vec![64u64, 100, 256, 257, 1_000, 1_024, 1_500, 2_048]);
    (
        (prop::array::uniform3(gigabits), 0u64..2_000_000, prop::collection::vec(frames, 4)),
        (prop::sample::select(vec![0u64, 20, 40]), prop::sample::select(vec![1u64, 64, 256, 1_024])),
        (0u64..20, 1u64..6, any::<bool>(), any::<u64>()),
    )
        .prop_map(|((gigabits, picos, frames), (overhead, unit), (xoff, buffer, whole_link, seed))| {
            Case {
                gigabits,
                picos,
                frames,
                overhead,
                unit,
                xoff: xoff * 1_024,
                buffer: buffer * 2_048,
                whole_link,
                seed,
            }
        })
}

impl Case {
    fn spec(&self) -> Spec {
        let mut net = Topology::new();
        let bridge = net.bridge("bridge", 1);
        let [a, b, c]: [NodeId; 3] = ["a", "b", "c"].map(|name| net.station(name, 0));
        for (station, gigabits) in [a, b, c].into_iter().zip(self.gigabits) {
            net.connect(station, bridge, Rate::from_gbps(gigabits), TimeDelta::from_picos(self.picos));
        }
        let pairs = [(a, c), (b, c), (c, a), (c, b)];
        let backlogged = |((from, to), &frame): ((NodeId, NodeId), &u64)| FlowSpec {
            frame: Bytes::new(frame),
            ..flow(from, to, Traffic::Backlogged)
        };
        let flows = pairs.into_iter().zip(&self.frames).map(backlogged).collect();
        let mut spec = spec(net, flows, TimeDelta::from_millis(2));
        let xoff = Bytes::new(self.xoff);
        let params = PauseParams { xoff, xon: xoff.min(Bytes::new(2_048)), ..thresholds() };
        spec.flow_control = if self.whole_link {
            FlowControl::Pause(params)
        } else {
            FlowControl::Pfc(params, PrioritySet::only(DATA))
        };
        // There are no notifications, which would have the same priority as the data.
        spec.control = no_control();
        spec.control.notification_priority = Priority::new(DATA.get()).unwrap();
        (spec.overhead, spec.buffer, spec.seed) =
            (Bytes::new(self.overhead), Bytes::new(self.buffer), self.seed);
        self.give_room(&mut spec);
        spec
    }

    /// Sets the smallest buffers that pass validation.
    fn give_room(&self, spec: &mut Spec) {
        let mut room = 2_048;
        loop {
            let unit = Bytes::new(self.unit);
            spec.bridges = Bridges::Cioq(Cioq { input_buffer: Bytes::new(room), unit, ..cioq() });
            match validate(spec) {
                Err(SpecError::InputTooSmall { needed, .. }) => {
                    room = needed.get().next_multiple_of(self.unit);
                }
                other => return other.unwrap(),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_smallest_buffer_that_passes_validation_is_enough(case in cases()) {
        let spec = case.spec();
        let outcome = simulate(&spec, &mut Unwatched);
        prop_assert!(outcome.is_ok(), "{}", outcome.unwrap_err());
    }
}

/// Frames of 1 024 B with 20 B between them, in units of one byte. The link is so long that a
/// pause that waits for a whole frame arrives just after the third frame since the request has
/// begun.
#[test]
fn the_frame_that_crosses_xoff_has_room_in_full() {
    let mut held = 0;
    for seed in 0..400 {
        let case = Case {
            gigabits: [10, 10, 1],
            picos: 390_000,
            frames: vec![1_024; 4],
            overhead: 20,
            unit: 1,
            xoff: 20 * 1_024,
            buffer: 2_048,
            whole_link: false,
            seed,
        };
        let mut spec = case.spec();
        // b sends to a, and hardly anything leaves for c in the meantime.
        spec.flows.truncate(2);
        spec.flows[1].destination = spec.flows[0].source.into();
        spec.duration = TimeDelta::from_micros(200);
        let outcome = simulate(&spec, &mut Unwatched).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let peaks = outcome.queues.iter().filter(|queue| queue.side == Side::Input);
        held = peaks.map(|queue| queue.peak.get()).max().unwrap().max(held);
    }
    // The frame that crosses the threshold, and three after it.
    assert_eq!(held, (20 + 1 + 3) * 1_024);
}
