//! The theory pages.

use setpoint_lab::theory::{FluidRecord, LoopRecord, MapRecord, PhaseRecord, StabilityRecord};

use crate::synthetic::theory as records;

fn fluid(record: &FluidRecord) -> String {
    setpoint_report::fluid(record).html()
}

fn stability(record: &StabilityRecord) -> String {
    setpoint_report::stability(record).html()
}

fn phase(record: &PhaseRecord) -> String {
    setpoint_report::phase(record).html()
}

/// An outline of the page: headings, cards, figures and text.
fn outline(page: &str) -> String {
    let body = page.split_once("<main").expect("a main part").1;
    let mut lines = Vec::new();
    for piece in body.split('<') {
        let Some((tag, text)) = piece.split_once('>') else { continue };
        let label = tag.split("aria-label=\"").nth(1).and_then(|rest| rest.split('"').next());
        match tag.split(' ').next().unwrap_or_default() {
            name @ ("h1" | "h2" | "h3" | "dt") => lines.push(format!("{name} {text}")),
            "p" | "li" | "td" | "span" | "div" if !text.trim().is_empty() => {
                lines.push(format!("  {}", text.trim()));
            }
            "div" if tag.contains("drawing") => lines.push(format!("  [{}]", label.unwrap_or_default())),
            _ => {}
        }
    }
    lines.join("\n").replace('\u{a0}', " ").replace("&#39;", "'")
}

#[test]
fn a_fluid_that_settles() {
    insta::assert_snapshot!(outline(&fluid(&records::fluid_and_packets(300.0))));
}

#[test]
fn a_fluid_that_oscillates_is_also_drawn_in_detail() {
    let mut record = records::fluid_and_packets(0.0);
    let page = fluid(&record);
    assert!(page.contains("The queue oscillates with a period of 1.26"));
    assert!(
        page.contains("and both oscillate; the fluid period is 7.4\u{a0}% below the packet period"),
        "{}",
        outline(&page)
    );
    assert!(!page.contains("The last periods"));
    record.time_s.iter_mut().for_each(|time| *time *= 2.0);
    assert!(fluid(&record).contains("The last periods"));
    record.packets = None;
    let alone = fluid(&record);
    assert!(!alone.contains("Fluid and packets") && !alone.contains(">packets<"));
}

#[test]
fn a_loop_with_a_map() {
    insta::assert_snapshot!(outline(&stability(&records::stability(40))));
}

#[test]
fn words_of_a_margin_follow_from_the_delay() {
    let description = |here: LoopRecord| {
        let page = stability(&StabilityRecord { name: "x".into(), here, map: None });
        let text = page.split("class=\"description\">").nth(1).and_then(|rest| rest.split('<').next());
        text.unwrap_or_default().replace('\u{a0}', " ")
    };
    assert_eq!(
        description(records::closed_loop(40e-6, 284e-6)),
        "The loop is stable up to a loop delay of 284 µs. Its loop delay is 40 µs, a seventh of that: it is stable."
    );
    assert_eq!(
        description(records::closed_loop(400e-6, 284e-6)),
        "The loop is stable up to a loop delay of 284 µs. Its loop delay is 400 µs, 1.4 times that: it is unstable, and the queue oscillates."
    );
    let never = LoopRecord { margin_s: None, unstable_roots: 1, ..records::closed_loop(1e-6, 1e-4) };
    assert!(description(never).starts_with("The linear loop is unstable even without delay"));
}

#[test]
fn a_map_of_many_values_has_tooltips() {
    let page = stability(&records::stability(100));
    assert!(page.contains("class=\"drawing field\"") && page.contains("data-field="));
}

#[test]
fn a_map_of_few_values_or_of_words_is_a_heat_map() {
    let page = |record: StabilityRecord| stability(&record);
    assert!(page(records::stability(40)).contains("class=\"drawing field\""));
    let few = page(records::stability(3));
    assert!(few.contains("class=\"drawing heat\"") && few.contains("(packets: deviation"));
    let mut words = records::stability(40);
    if let Some(map) = &mut words.map {
        map.x.values = (0..40).map(|index| format!("word{index}")).collect();
        map.x.numbers = (0..40).map(f64::from).collect();
    }
    assert!(page(words).contains("class=\"drawing heat\""));
    let mut powers = records::stability(8);
    if let Some(map) = &mut powers.map {
        map.x.key = "control.qcn.cp.weight".into();
        map.x.values = (0..8).map(|index| format!("2^{index}")).collect();
        map.x.numbers = (0..8).map(|index| 2f64.powi(index)).collect();
    }
    assert!(page(powers).contains("class=\"drawing field\""));
}

#[test]
fn a_plane() {
    insta::assert_snapshot!(outline(&phase(&records::phase())));
}

#[test]
fn pages_stay_small() {
    let pages = [
        fluid(&records::fluid_and_packets(0.0)),
        stability(&records::stability(100)),
        phase(&records::phase()),
    ];
    for page in pages {
        assert!(page.len() < 600_000, "{} bytes", page.len());
    }
}

/// A fluid record with every number replaced.
fn poisoned_fluid(value: f64) -> FluidRecord {
    let mut record = records::fluid_and_packets(0.0);
    (record.set_point_bytes, record.buffer_bytes, record.delay_s) = (value, value, value);
    (record.measured_from_s, record.queue_mean_bytes, record.queue_deviation_bytes) = (value, value, value);
    record.period_s = Some(value);
    record.time_s.iter_mut().step_by(3).for_each(|time| *time = value);
    record.queue_bytes.iter_mut().step_by(2).for_each(|queue| *queue = value);
    for class in &mut record.classes {
        class.rate_bps.fill(value);
        class.rate_mean_bps = value;
    }
    if let Some(packets) = &mut record.packets {
        packets.queue_bytes.fill(value);
        (packets.queue_mean_bytes, packets.queue_deviation_bytes) = (value, value);
        packets.period_s = Some(value);
    }
    record
}

fn poisoned_stability(value: f64) -> StabilityRecord {
    let mut record = records::stability(12);
    let here = &mut record.here;
    (here.delay_s, here.growth_per_s, here.mode_rad_per_s) = (value, value, value);
    (here.margin_s, here.bound_s, here.bound_without_averaging_s) = (Some(value), Some(value), Some(value));
    here.crossover_rad_per_s = Some(value);
    here.response.iter_mut().step_by(2).for_each(|point| *point = (value, value, value));
    if let Some(map) = &mut record.map {
        map.stability.iter_mut().flatten().step_by(3).for_each(|cell| *cell = Some(value));
        map.x.numbers[3] = value;
        map.packets.iter_mut().for_each(|point| (point.swing, point.empty_share) = (value, value));
    }
    record
}

fn poisoned_phase(value: f64) -> PhaseRecord {
    let mut record = records::phase();
    record.delay_s = value;
    record.lines[0].ends = [(value, value), (0.0, value)];
    record.sliding[0].ends = [(value, 0.0), (0.0, value)];
    record.trajectories[0].offset_bytes.iter_mut().step_by(5).for_each(|offset| *offset = value);
    record.trajectories[1].excess_bps.fill(value);
    record.trajectories[2].time_s.fill(value);
    record
}

/// Checks that the page is complete and contains no number that is not finite.
fn assert_complete(page: &str) {
    assert!(page.trim_end().ends_with("</html>"));
    let body = page.split_once("<main").expect("a main part").1;
    let body = body.split_once("<div id=\"tip\"").expect("an end").0;
    for word in ["NaN", ">inf", "\"inf", " inf ", "-inf"] {
        assert!(!body.contains(word), "{word}");
    }
}

#[test]
fn values_that_are_not_finite_never_reach_a_page() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, 1e300] {
        assert_complete(&fluid(&poisoned_fluid(value)));
        assert_complete(&stability(&poisoned_stability(value)));
        assert_complete(&phase(&poisoned_phase(value)));
    }
}

#[test]
fn records_may_be_empty_or_short() {
    let mut record = records::fluid_and_packets(0.0);
    record.time_s.truncate(1);
    assert_complete(&fluid(&record));
    (record.time_s, record.queue_bytes, record.classes, record.leaves_out) = Default::default();
    assert_complete(&fluid(&record));

    let mut record = records::stability(1);
    assert_complete(&stability(&record));
    record.here.response.truncate(1);
    if let Some(map) = &mut record.map {
        map.packets.push(setpoint_lab::theory::MapPoint { x: 99, y: 99, ..map.packets[0].clone() });
    }
    assert_complete(&stability(&record));
    record.here.response.clear();
    record.map = record.map.map(|map| MapRecord { stability: Vec::new(), ..map });
    assert_complete(&stability(&record));

    let mut record = records::phase();
    for trajectory in &mut record.trajectories {
        trajectory.offset_bytes.truncate(1);
    }
    assert_complete(&phase(&record));
    (record.trajectories, record.lines, record.sliding) = Default::default();
    assert_complete(&phase(&record));
}

#[test]
fn all_text_is_escaped() {
    let hostile = "</script><script>alert(1)</script>\"'><img src=x>";
    let mut of_fluid = records::fluid_and_packets(0.0);
    (of_fluid.name, of_fluid.model, of_fluid.queue) = (hostile.into(), hostile.into(), hostile.into());
    of_fluid.leaves_out.push(hostile.into());
    of_fluid.classes[0].name = hostile.into();
    let mut of_stability = records::stability(8);
    (of_stability.name, of_stability.here.model) = (hostile.into(), hostile.into());
    if let Some(map) = &mut of_stability.map {
        (map.x.key, map.y.values[0]) = (hostile.into(), hostile.into());
        map.reasons.push(hostile.into());
    }
    let mut of_phase = records::phase();
    (of_phase.name, of_phase.lines[0].name) = (hostile.into(), hostile.into());
    of_phase.trajectories[0].end = hostile.into();
    for page in [fluid(&of_fluid), stability(&of_stability), phase(&of_phase)] {
        let page = page.replace("http://www.w3.org/2000/svg", "").replace(crate::page::CLIP, "");
        assert!(!page.contains("<img") && !page.contains("<script>alert"));
        for forbidden in ["http://", "https://", "@import", "url("] {
            assert!(!page.contains(forbidden), "{forbidden}");
        }
        let mut ids: Vec<&str> =
            page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all);
    }
}

#[test]
fn a_disagreement_of_packets_and_theory_is_explained() {
    let record = records::stability(40);
    assert!(!stability(&record).contains("that theory calls"), "they agree");
    let mut disagrees = record;
    if let Some(map) = &mut disagrees.map {
        map.packets.iter_mut().for_each(|point| (point.period_s, point.swing) = (Some(1e-3), 0.25));
    }
    let page = stability(&disagrees).replace('\u{a0}', " ");
    assert!(page.contains(
        "packet runs in the region that theory calls stable oscillate, with a mean deviation of 25 %"
    ));
    assert!(
        page.contains("Trust it for the position of the boundary") && page.contains("Trust packet runs for")
    );
}
