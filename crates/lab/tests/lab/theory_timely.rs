//! TIMELY's fluid models for scenarios: fixed points, published margins, and packets.

use setpoint_fluid::Scheme;
use setpoint_fluid::linear::{Linearisation, linearise_as};
use setpoint_fluid::timely::Variant;
use setpoint_lab::theory::{FluidOptions, Form, Packets, closed_loop, fluid, form};
use setpoint_scenario::{Prepared, Scenario, Source};
use setpoint_sim::Unwatched;
use setpoint_units::TimeDelta;

/// Flows to one station at 10 Gb/s, with frames of 1000 B and acknowledgements of 64 B. Apart from the transmission on the
/// congested link, the path takes 0.8 us for a frame, 0.1024 us for an acknowledgement and four times 12.2744 us: 50 us.
fn prepared(flows: u32, settings: &[&str]) -> Prepared {
    let text = format!(
        r#"
        duration = "60 ms"
        measure_from = "30 ms"
        [network]
        frame = "1000 B"
        overhead = "0 B"
        buffer = "10 MB"
        [topology.star]
        stations = {}
        rate = "10 Gb/s"
        delay = "12.2744 us"
        [control.timely]
        profile = "patched"
        [[flows]]
        from = "h{{2..{}}}"
        to = "h1"
        "#,
        flows + 1,
        flows + 1
    );
    let overrides: Vec<_> = settings.iter().map(|setting| setting.parse().unwrap()).collect();
    let scenario = Scenario::load(&Source::new("test.toml", &text), &overrides)
        .unwrap_or_else(|error| panic!("{error}"));
    scenario.prepare(1).unwrap()
}

fn formed(flows: u32, settings: &[&str]) -> Form {
    form(&prepared(flows, settings)).unwrap_or_else(|error| panic!("{error}"))
}

/// q* = q′ + N δ q′/(β C) with q′ = 62.5 kB, δ = 10 Mb/s, β = 0.008: 62.5 kB (1 + N/8).
fn closed_form(flows: u32) -> f64 {
    62_500.0 * (1.0 + f64::from(flows) / 8.0)
}

const QUEUEING: &str = "control.timely.rp.delay=queueing";

#[test]
fn the_equilibrium_of_patched_timely_is_that_of_the_closed_form() {
    for flows in [2, 10] {
        let found = formed(flows, &[QUEUEING]).equilibrium(&Default::default()).unwrap();
        assert!((found.queue_bytes / closed_form(flows) - 1.0).abs() < 1e-9, "{found:?}");
        assert!((found.rate_bps * f64::from(flows) / 10e9 - 1.0).abs() < 1e-9, "{found:?}");
    }
}

/// The round-trip time of the idle path is 50 us and the transmission on the congested link, 0.8 us. Since the delay at the fixed
/// point contains it, the queue is shorter by 63.5 kB, and shares of the same size need the same delay.
#[test]
fn the_round_trip_time_of_the_idle_path_shortens_the_queue() {
    let found = formed(8, &[]).equilibrium(&Default::default()).unwrap();
    assert!((found.queue_bytes - (closed_form(8) - 63_500.0)).abs() < 1.0, "{found:?}");
}

/// Published values: pm_timely_delay50_fixed.txt.
#[test]
fn scenarios_have_the_published_margins() {
    for (flows, published) in [(2, -7.0458), (4, 1.6133), (10, 25.903)] {
        let form = formed(flows, &[QUEUEING]);
        assert_eq!(form.path_delay(), TimeDelta::from_micros(50));
        let of = linearise_as(&form.bottleneck, &form.scheme, Linearisation::PublishedCode).unwrap();
        let margin = of.wrapped_phase_margin(of.delay_s).unwrap().radians.to_degrees();
        assert!((margin - published).abs() < 0.1, "N = {flows}: {margin} instead of {published}");
    }
}

/// By the printed equations, the loop is stable with 10 flows and unstable with 30 (`conext16/fig11`).
#[test]
fn the_exact_loop_becomes_unstable_with_more_flows() {
    let of = |flows| closed_loop(&prepared(flows, &[QUEUEING]), &Default::default()).unwrap();
    let (few, many) = (of(10), of(30));
    assert_eq!((few.unstable_roots, many.unstable_roots > 0), (0, true), "{many:?}");
    assert!(few.delay_has_queueing);
    assert!(few.margin_s.unwrap() > few.delay_s && few.growth_per_s < 0.0 && many.growth_per_s > 0.0);
}

#[test]
fn packets_settle_at_the_equilibrium_of_the_model() {
    for settings in [&[QUEUEING][..], &[]] {
        let settings = [settings, &["control.timely.rp.first_rate=1.25 Gb/s"]].concat();
        let options = FluidOptions { packets: Packets::Beside, ..FluidOptions::default() };
        let record = fluid(&prepared(8, &settings), &options, &mut Unwatched).unwrap();
        let (found, packets) = (record.equilibrium.unwrap(), record.packets.unwrap());
        let ratio = packets.queue_mean_bytes / found.queue_bytes;
        assert!((ratio - 1.0).abs() < 0.05, "{settings:?}: {ratio}");
        assert_eq!((record.set_point_name.as_str(), &*record.model), ("equilibrium", MODEL));
        let first = record.classes[0].rate_bps[0];
        assert!((first / 1.25e9 - 1.0).abs() < 0.05, "{first}");
    }
}

const MODEL: &str = "patched TIMELY, the equations of Zhu et al. (CoNEXT 2016)";

/// Receivers acknowledge whole frames: eleven of 1500 B are the first to reach 16 kB.
#[test]
fn segments_are_whole_frames() {
    let segment = |settings: &[&str]| match formed(2, settings).scheme {
        Scheme::Timely(params) => params.segment.get(),
        other => panic!("{other:?}"),
    };
    assert_eq!(segment(&[]), 16_000);
    assert_eq!(segment(&["network.frame=1500 B"]), 16_500);
    assert_eq!(segment(&["control.timely.np.frames=4"]), 4_000);
    assert_eq!(segment(&["control.timely.np.bytes=1 B"]), 1_000);
}

#[test]
fn the_original_timely_has_a_form_but_no_equilibrium() {
    let settings = ["control.timely.profile=paper", QUEUEING];
    let form = formed(2, &settings);
    let Scheme::Timely(params) = form.scheme else { panic!("{:?}", form.scheme) };
    assert_eq!(params.variant, Variant::Original);
    assert_eq!((form.set_point.get(), form.equilibrium(&Default::default())), (62_500, None));
    let error = closed_loop(&prepared(2, &settings), &Default::default()).unwrap_err();
    assert!(error.to_string().contains("no fixed point"), "{error}");
}
