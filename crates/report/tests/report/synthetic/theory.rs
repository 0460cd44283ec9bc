//! Hand-made theory records.

use setpoint_lab::theory::{
    ClassCourse, FluidRecord, LoopRecord, MapAxis, MapPoint, MapRecord, Overlay, PacketClass, PhaseLine,
    PhaseRecord, SlidingSegment, StabilityRecord, Trajectory,
};

/// An oscillation that decays or persists, sampled every 20 us for 40 ms.
pub(crate) fn fluid(decay_per_s: f64) -> FluidRecord {
    let time_s: Vec<f64> = (0..2000).map(|index| f64::from(index) * 20e-6).collect();
    let swing = |time: f64| (-decay_per_s * time).exp() * (5000.0 * time).cos();
    let queue_bytes: Vec<f64> = time_s.iter().map(|&time| 33e3 + 24e3 * swing(time)).collect();
    let rate_bps: Vec<f64> = time_s.iter().map(|&time| 1e9 + 0.3e9 * swing(time - 2e-4)).collect();
    let period_s = (decay_per_s == 0.0).then_some(std::f64::consts::TAU / 5000.0);
    let class = |name: &str, sources: u32| ClassCourse {
        name: name.into(),
        sources,
        rate_bps: rate_bps.clone(),
        rate_mean_bps: 1e9,
    };
    FluidRecord {
        name: "ten senders".into(),
        model: "QCN, equations (9) to (13) of Alizadeh et al. (Allerton 2008), increase at the source".into(),
        leaves_out: vec!["The timer is ignored.".into(), "Feedback is not quantised.".into()],
        queue: "left->right".into(),
        set_point_bytes: 33e3,
        set_point_name: "set point".into(),
        equilibrium: None,
        buffer_bytes: 150e3,
        delay_s: 40e-6,
        measured_from_s: 10e-3,
        time_s,
        queue_bytes,
        classes: vec![class("s1…s5", 5), class("s6…s10", 5)],
        queue_mean_bytes: 33.1e3,
        queue_deviation_bytes: if decay_per_s == 0.0 { 17e3 } else { 0.4e3 },
        period_s,
        packets: None,
    }
}

/// The same with a packet run.
pub(crate) fn fluid_and_packets(decay_per_s: f64) -> FluidRecord {
    let mut record = fluid(decay_per_s);
    let noise = |index: usize| ((index * index % 977) as f64 / 977.0 - 0.5) * 8e3;
    let rough = |values: &[f64], size: f64| -> Vec<f64> {
        values.iter().enumerate().map(|(index, value)| (value + size * noise(index)).max(0.0)).collect()
    };
    let classes = record.classes.iter();
    record.packets = Some(Overlay {
        queue_bytes: rough(&record.queue_bytes, 1.0),
        queue_mean_bytes: 34e3,
        queue_deviation_bytes: 3e3,
        period_s: record.period_s.map(|period| 1.08 * period),
        classes: classes
            .map(|class| PacketClass { rate_bps: rough(&class.rate_bps, 2e4), rate_mean_bps: 0.99e9 })
            .collect(),
    });
    record
}

/// A loop consisting of an integrator and a delay, whose margin is `margin_s`.
pub(crate) fn closed_loop(delay_s: f64, margin_s: f64) -> LoopRecord {
    let gain = std::f64::consts::FRAC_PI_2 / margin_s;
    let point = |index: i32| {
        let omega = 10f64.powf(2.0 + f64::from(index) / 40.0);
        (omega, -gain / omega * (omega * delay_s).sin(), -gain / omega * (omega * delay_s).cos())
    };
    LoopRecord {
        model: "QCN, linear around equal shares".into(),
        equilibrium: None,
        sources: 10,
        delay_s,
        delay_has_queueing: false,
        margin_s: Some(margin_s),
        bound_s: Some(0.989 * margin_s),
        bound_without_averaging_s: Some(0.796 * margin_s),
        crossover_rad_per_s: Some(gain),
        growth_per_s: if delay_s < margin_s { -800.0 } else { 240.0 },
        mode_rad_per_s: 4800.0,
        unstable_roots: if delay_s < margin_s { 0 } else { 2 },
        response: (0..160).map(point).collect(),
    }
}

pub(crate) fn stability(side: usize) -> StabilityRecord {
    let share = |index: usize| index as f64 / (side - 1).max(1) as f64;
    let delays: Vec<f64> = (0..side).map(|index| 20e-6 * 40f64.powf(share(index))).collect();
    let senders: Vec<f64> = (0..side).map(|index| (1.0 + 49.0 * share(index)).round()).collect();
    let margin = |senders: f64| 150e-6 + 160e-6 * (1.0 - 1.0 / senders);
    let value = |&of: &f64, &delay: &f64| (of < 46.0).then(|| margin(of) / delay);
    let points = (0..side)
        .step_by((side / 5).max(1))
        .flat_map(|y| (0..side).step_by((side / 5).max(1)).map(move |x| (x, y)));
    let packet = |(x, y): (usize, usize)| {
        let ratio = margin(senders[y]) / delays[x];
        let swing = 0.1 + 0.9 * (1.0 / ratio - 0.7).clamp(0.0, 1.0);
        MapPoint {
            x,
            y,
            swing,
            empty_share: (swing - 0.5).max(0.0),
            period_s: (ratio < 0.9).then_some(4.0 * delays[x]),
        }
    };
    StabilityRecord {
        name: "ten senders".into(),
        here: closed_loop(40e-6, 284e-6),
        map: Some(MapRecord {
            x: MapAxis {
                key: "topology.dumbbell.rtt".into(),
                values: delays.iter().map(|delay| format!("{:.2} us", delay * 1e6)).collect(),
                numbers: delays.clone(),
            },
            y: MapAxis {
                key: "topology.dumbbell.senders".into(),
                values: senders.iter().map(f64::to_string).collect(),
                numbers: senders.clone(),
            },
            stability: senders
                .iter()
                .map(|of| delays.iter().map(|delay| value(of, delay)).collect())
                .collect(),
            reasons: vec!["the buffer is shorter than the set point".into()],
            packets: points.map(packet).collect(),
        }),
    }
}

/// A spiral from a starting point, towards the origin or around it.
fn trajectory(start: (f64, f64), decay: f64, end: &str) -> Trajectory {
    let time_s: Vec<f64> = (0..3000).map(|index| f64::from(index) * 2e-6).collect();
    let size = (start.0 / 30e3).hypot(start.1 / 2e9);
    let turned = (start.1 / 2e9).atan2(start.0 / 30e3);
    let at = |time: f64| (size * (-decay * time).exp(), turned - 5000.0 * time);
    let offset_bytes = time_s.iter().map(|&time| 30e3 * at(time).0 * at(time).1.cos()).collect();
    let excess_bps = time_s.iter().map(|&time| 2e9 * at(time).0 * at(time).1.sin()).collect();
    Trajectory { time_s, offset_bytes, excess_bps, end: end.into() }
}

pub(crate) fn phase() -> PhaseRecord {
    PhaseRecord {
        name: "ten senders".into(),
        model: "QCN, three subsystems, equations (15) to (19) of the SMCC paper".into(),
        leaves_out: vec!["The queue is never empty in the plane.".into()],
        delay_s: 40e-6,
        lines: vec![
            PhaseLine { name: "Fb = 0".into(), ends: [(-60e3, 3e9), (60e3, -3e9)] },
            PhaseLine { name: "y = 0".into(), ends: [(-60e3, 0.0), (60e3, 0.0)] },
        ],
        sliding: vec![SlidingSegment { ends: [(2e3, -0.1e9), (18e3, -0.9e9)] }],
        trajectories: vec![
            trajectory((-33e3, 2e9), 700.0, "settled at the set point, sliding for 120 us"),
            trajectory((33e3, 0.0), 700.0, "settled at the set point"),
            trajectory((-16e3, -1e9), 0.0, "still moving, finally between -16 kB and +16 kB"),
        ],
        findings: vec![
            "Theorem 2: with T = 1.2 ms, inequality (24) holds nowhere: there is no sliding mode.".into(),
        ],
    }
}
