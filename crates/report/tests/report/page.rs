//! The HTML page.

use roxmltree::Document;
use setpoint_plot::Style;
use setpoint_record::results::{
    EntrySummary, GroupSummary, MessageClass, MessageSize, ReceiverSummary, RunRecord, SizeClass,
    WarningRecord,
};
use setpoint_report::{html, plots};

use crate::synthetic;

/// The script's only reference, to a clip path that it adds to the page.
pub(crate) const CLIP: &str = "url(#${id}-part)";
const HOSTILE: &str = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>&amp;";

/// A record with hostile text in every text field.
fn hostile() -> RunRecord {
    let mut record = synthetic::dumbbell(2, 60);
    record.summary.messages = synthetic::fat_tree().summary.messages;
    let bad = || HOSTILE.to_string();
    let manifest = &mut record.manifest;
    (manifest.version, manifest.scenario, manifest.description) = (bad(), bad(), bad());
    (manifest.scenario_text, manifest.digest) = (bad(), bad());
    manifest.overrides = vec![(bad(), bad())];
    for row in &mut manifest.parameters {
        (row.key, row.value, row.default, row.origin) = (bad(), bad(), bad(), bad());
        row.managed_object = Some(bad());
    }
    let summary = &mut record.summary;
    (summary.congestion_trees, summary.deadlock) =
        (synthetic::deadlock().summary.congestion_trees, synthetic::deadlock().summary.deadlock);
    for pause in &mut summary.congestion_trees.pauses {
        (pause.port, pause.cause, pause.root) = (bad(), bad(), bad());
    }
    summary.flow_control = synthetic::incast_pfc().summary.flow_control;
    for link in summary.flow_control.iter_mut().flat_map(|control| &mut control.links) {
        link.port = bad();
    }
    for port in summary.deadlock.iter_mut().flat_map(|deadlock| &mut deadlock.cycle) {
        *port = bad();
    }
    summary.entries = vec![EntrySummary { name: bad(), ..EntrySummary::default() }; 2];
    for flow in &mut summary.flows {
        flow.victim_s = 1e-3;
        (flow.name, flow.source, flow.destination) = (bad(), bad(), bad());
    }
    for queue in &mut summary.queues {
        (queue.name, queue.port) = (bad(), bad());
    }
    let receivers = vec![ReceiverSummary { station: bad(), ..ReceiverSummary::default() }];
    summary.groups = vec![GroupSummary { name: bad(), receivers, ..GroupSummary::default() }];
    for port in &mut summary.ports {
        port.name = bad();
    }
    for event in &mut summary.events_at {
        event.label = bad();
    }
    for series in &mut record.series.flows {
        series.name = bad();
    }
    for series in &mut record.series.queues {
        series.name = bad();
    }
    for series in &mut record.series.ports {
        series.name = bad();
    }
    for node in &mut record.topology.nodes {
        node.name = bad();
    }
    for link in &mut record.topology.links {
        (link.rate, link.delay) = (bad(), bad());
    }
    record
}

#[test]
fn no_text_of_a_record_becomes_markup() {
    let mut tame = hostile();
    let page = html(&tame);
    assert!(!page.contains("<img") && !page.contains("<script>alert"));
    // The same number of scripts as with harmless text: the page's own, and a block of data per figure.
    tame = synthetic::dumbbell(2, 60);
    tame.summary.messages = synthetic::fat_tree().summary.messages;
    let count = |page: &str| (page.matches("<script").count(), page.matches("</script").count());
    assert_eq!(count(&page), count(&html(&tame)));
    for plot in plots(&hostile(), Style::SCREEN) {
        assert!(!plot.svg.contains("<script") && !plot.svg.contains("<img"), "{}", plot.name);
        Document::parse(&plot.svg).unwrap_or_else(|error| panic!("{}: {error}", plot.name));
    }
}

#[test]
fn the_data_of_a_hostile_record_is_still_json() {
    let page = html(&hostile());
    let blocks: Vec<&str> = page.split("<script type=\"application/json\">").skip(1).collect();
    assert!(blocks.len() >= 5);
    for block in blocks {
        let (text, _) = block.split_once("</script>").expect("an end");
        let data: serde_json::Value = serde_json::from_str(text).expect("valid JSON");
        assert!(data["series"].is_array());
    }
}

#[test]
fn the_page_needs_no_network() {
    for (name, record) in synthetic::all() {
        let page = html(&record).replace("http://www.w3.org/2000/svg", "").replace(CLIP, "");
        for forbidden in ["http://", "https://", "src=", "@import", "url("] {
            assert!(!page.contains(forbidden), "{name} contains {forbidden}");
        }
        let links: Vec<&str> = page.split("href=\"").skip(1).collect();
        assert!(links.iter().all(|link| link.starts_with('#')), "{name} links elsewhere");
    }
}

#[test]
fn drawings_in_the_page_are_well_formed_and_have_text_alternatives() {
    for (name, record) in synthetic::all() {
        let page = html(&record);
        for piece in page.split("<svg").skip(1) {
            let end = piece.find("</svg>").expect("an end") + "</svg>".len();
            let svg = format!("<svg{}", &piece[..end]);
            Document::parse(&svg).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        let drawn = page.matches("class=\"drawing plot\"").count();
        let spoken = page.matches("role=\"img\" aria-label=\"").count();
        assert_eq!(drawn, spoken, "{name}");
        assert!(!page.contains("aria-label=\"\""), "{name} has a figure without words");
    }
}

#[test]
fn ids_are_unique() {
    for (name, record) in synthetic::all() {
        let page = html(&record);
        let mut ids: Vec<&str> =
            page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        ids.sort_unstable();
        let all = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), all, "{name}");
    }
}

#[test]
fn the_page_has_the_command_that_repeats_the_run() {
    let page = html(&synthetic::dumbbell(10, 60));
    assert!(page.contains(
        "setpoint run rate-drop-on-a-dumbbell.toml --seed 1 --set &#39;qcn.rp.time_reset=10 ms&#39;"
    ));
    assert!(page.contains("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"));
    assert!(page.contains("<tr class=\"changed\"><th scope=\"row\"><code>qcn.rp.time_reset</code>"));
}

#[test]
fn many_flows_are_folded() {
    let page = html(&synthetic::dumbbell(400, 60));
    assert!(page.contains("<summary>150 more flows</summary>"));
}

#[test]
fn a_large_run_makes_a_small_file() {
    let record = synthetic::dumbbell(400, 10_000);
    let page = html(&record);
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    for plot in plots(&record, Style::SCREEN) {
        assert!(plot.svg.len() < 200_000, "{}: {} bytes", plot.name, plot.svg.len());
    }
}

#[test]
fn the_same_record_gives_the_same_bytes() {
    let record = synthetic::fat_tree();
    assert_eq!(html(&record), html(&record));
}

#[test]
fn figures_of_the_whole_run_are_marked_if_others_are_not() {
    let mut record = synthetic::dumbbell(10, 60);
    record.summary.measure_from_s = 0.5;
    let page = html(&record);
    assert!(page.contains("Figures cover 500\u{a0}ms to the end unless marked"));
    // Below the cards, and above three tables.
    assert_eq!(page.matches(" cover the whole run.</p>").count(), 4);
    record.summary.measure_from_s = 0.0;
    let page = html(&record);
    assert!(!page.contains("whole run.</p>") && !page.contains(", whole run"));
}

#[test]
fn tables_write_arrows_and_fold_empty_queues() {
    let mut record = synthetic::dumbbell(10, 60);
    let mut idle = record.summary.queues[0].clone();
    (idle.mean_bytes, idle.peak_bytes, idle.dropped_frames) = (0.0, 0, 0);
    let before = record.summary.queues.iter().filter(|queue| queue.mean_bytes < 1.0).count();
    record.summary.queues.extend([idle.clone(), idle]);
    let page = html(&record);
    assert!(page.contains("<th scope=\"row\">left→right/3</th>"));
    assert!(page.contains(&format!("<summary>{} more queues</summary>", before + 2)));
}

#[test]
fn lengths_between_samples_are_shaded_if_known() {
    let mut record = synthetic::dumbbell(10, 60);
    assert!(html(&record).contains("Shaded bands reach the largest length"));
    for queue in &mut record.series.queues {
        queue.largest_bytes.clear();
    }
    assert!(!html(&record).contains("Shaded bands reach the largest length"));
}

#[test]
fn a_deadlock_is_reported_first() {
    let page = html(&synthetic::deadlock());
    let sentence = "b1→b2 → b2→b3 → b3→b4 → b4→b5 → b5→b1 → b1→b2 (each waits for the next). \
                    Ten ports in the cycle or behind it never sent again in priority 3.";
    let (banner, paragraph) =
        (page.find(sentence).expect("a banner"), page.find("class=\"summary\"").expect("a summary"));
    assert!(banner < paragraph);
    assert!(!html(&synthetic::incast_pfc()).contains("Deadlock"));
}

#[test]
fn trees_have_a_section_if_there_were_pauses() {
    let page = html(&synthetic::deadlock());
    assert!(page.contains("<h2 id=\"trees-title\">Congestion trees</h2>"));
    assert!(page.contains("Flows delayed by congestion elsewhere"));
    assert!(!html(&synthetic::dumbbell(2, 60)).contains("trees-title"));
    // Of 64 pauses, twelve are shown and the rest are collapsed; no flow is a victim.
    let page = html(&synthetic::incast_pfc());
    assert!(page.contains("<summary>52 more</summary>") && !page.contains("trees-victims"));
}

#[test]
fn headroom_has_a_section_under_flow_control() {
    assert!(!html(&synthetic::dumbbell(2, 60)).contains("headroom-title"));
    let page = html(&synthetic::incast_pfc());
    assert!(page.contains("<th scope=\"row\">h{1..64}→bridge</th><td class=\"number\">64</td>"));
    assert!(page.contains("The link that used the largest share, h64→bridge, used 1.28"));
}

#[test]
fn entries_and_sizes_have_tables_if_there_are_two() {
    let mut record = synthetic::dumbbell(2, 60);
    let entry = |name: &str, query: Option<f64>| EntrySummary {
        name: name.into(),
        query_completion_at_least_s: query,
        ..EntrySummary::default()
    };
    let class = |size| {
        let messages = MessageClass { completed: 3, fct_mean_s: Some(1e-3), ..MessageClass::default() };
        SizeClass { size, messages }
    };
    record.summary.entries = vec![entry("incast", Some(0.05))];
    record.summary.size_classes = vec![class(MessageSize::Short)];
    let page = html(&record);
    assert!(!page.contains("entries-title") && !page.contains("id=\"sizes\""));
    assert!(page.contains("Query completion") && page.contains("&#62;\u{a0}50\u{a0}ms"));
    record.summary.entries.push(entry("background", None));
    record.summary.size_classes.push(class(MessageSize::Large));
    let page = html(&record);
    assert!(
        page.contains("<th scope=\"row\">background</th>") && page.contains("<th scope=\"row\">large</th>")
    );
    let messages = page.split("<section id=\"messages\"").nth(1).expect("a section");
    let table = messages.split("</section>").next().and_then(|section| section.split("id=\"sizes\"").nth(1));
    let table = table.expect("sizes beside the charts of completion times");
    for heading in ["Completion time, 99th&nbsp;percentile", "Slowdown, 99th&nbsp;percentile"] {
        assert_eq!(table.matches(&format!(">{heading}</th>")).count(), 1, "{heading}");
    }
}

/// A run with a group of receivers, one of which lost frames.
fn grouped(receivers: usize) -> RunRecord {
    let mut record = synthetic::dumbbell(2, 60);
    let receiver = |number: usize| ReceiverSummary {
        station: format!("r{number}"),
        rate_bps: 166e6,
        delivered_frames: 9_990,
        lost_frames: if number == 1 { 10 } else { 0 },
        loss_share: if number == 1 { 0.001 } else { 0.0 },
    };
    record.summary.groups = vec![GroupSummary {
        occupied_share: 1.0,
        name: "viewers".into(),
        flows: 6,
        sources: 6,
        receivers: (1..=receivers).map(receiver).collect(),
        rate_mean_bps: 166e6,
        jain_index: None,
        feedback_overhead: 0.0033,
        loss_share: 0.0005,
        notifications_per_source_mean: 68.5,
        notifications_per_source_peak: 300.0,
    }];
    record
}

#[test]
fn groups_and_receivers_have_tables() {
    let page = html(&grouped(2)).replace(['\u{a0}', '\u{202f}'], " ");
    let row = |name: &str| {
        let start = page.find(&format!("<th scope=\"row\">{name}</th>")).unwrap_or_else(|| panic!("{name}"));
        let row = &page[start..start + page[start..].find("</tr>").unwrap()];
        let cells = row.split("</t").map(|cell| cell.rsplit('>').next().unwrap_or_default());
        cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" | ")
    };
    assert_eq!(row("viewers"), "viewers | 6 | 6 | 2 | 166 Mb/s | – | 0.33 % | 68.5 1/s | 300 1/s | 0.05 %");
    assert_eq!(row("r2"), "r2 | viewers | 166 Mb/s | 9990 | 0 | 0 %");
    assert!(!html(&synthetic::dumbbell(2, 60)).contains("id=\"groups\""));
}

#[test]
fn many_receivers_are_folded() {
    let page = html(&grouped(64));
    assert!(page.contains("14 more receivers"));
}

#[test]
fn a_report_has_contents_and_its_tables_can_be_sorted() {
    let page = html(&synthetic::dumbbell(2, 60));
    let contents = page.split("<nav class=\"contents\"").nth(1).and_then(|rest| rest.split("</nav>").next());
    let links: Vec<&str> = contents.expect("contents").split("href=\"#").skip(1).collect();
    let sections = page.matches("<section id=\"").count();
    assert!(sections > 5 && links.len() == sections, "{links:?}");
    for link in links {
        let id = link.split('"').next().unwrap();
        assert!(page.contains(&format!("<section id=\"{id}\"")), "{id}");
    }
    let flows = page.split("<section id=\"flows\"").nth(1).unwrap();
    assert!(flows.split("<table").nth(1).unwrap().starts_with(" class=\"sortable\""));
}

#[test]
fn warnings_about_the_scenario_follow_the_summary() {
    let mut record = synthetic::incast_pfc();
    assert!(!html(&record).contains("class=\"warnings\""));
    record.manifest.warnings = vec![WarningRecord {
        check: "reserved-above-buffer".into(),
        message: "the inputs reserve more than the buffer".into(),
        remedies: vec!["increase the buffer".into()],
    }];
    let page = html(&record);
    let warning =
        "<strong>Warning: the inputs reserve more than the buffer</strong><span>increase the buffer</span>";
    assert!(page.contains(warning) && page.contains("setpoint explain reserved-above-buffer"));
}
