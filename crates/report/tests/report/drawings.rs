//! Plots in separate files, and drawings of networks.

use roxmltree::{Document, Node};
use setpoint_plot::{Axis, Colour, Figure, Line, Mark, Shape, Size, Style, Surface};
use setpoint_record::results::PauseSummary;
use setpoint_report::{plots, topology};
use setpoint_units::quantity::Unit;

use crate::synthetic;

#[test]
fn every_plot_is_well_formed_and_self_contained() {
    for (name, record) in synthetic::all() {
        for plot in plots(&record, Style::SCREEN) {
            let document =
                Document::parse(&plot.svg).unwrap_or_else(|error| panic!("{name}/{}: {error}", plot.name));
            let text = |tag: &str| {
                let found = document
                    .descendants()
                    .find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", tag)));
                found.and_then(|node| node.text()).unwrap_or_default().to_string()
            };
            assert_eq!(text("title"), plot.title, "{name}/{}", plot.name);
            assert!(text("desc").len() > 20, "{name}/{} has no description", plot.name);
            assert!(!plot.svg.contains("var(--"), "{name}/{} needs a style sheet", plot.name);
        }
    }
}

#[test]
fn every_axis_has_a_unit_or_counts_something() {
    let units = ["(s)", "(ms)", "(µs)", "b/s)", "B)", "(%)", "(1/s)"];
    let counts = ["Notifications", "Ports paused at a time", "Slowdown (ideal = 1)"];
    for (name, record) in synthetic::all() {
        for plot in plots(&record, Style::SCREEN)
            .into_iter()
            .filter(|plot| !["network", "congestion-trees"].contains(&&*plot.name))
        {
            let document = Document::parse(&plot.svg).expect("well-formed");
            let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
            let named =
                |words: &[&str]| texts.iter().any(|text| words.iter().any(|word| text.ends_with(word)));
            assert!(named(&units) || named(&counts), "{name}/{}: {texts:?}", plot.name);
        }
    }
}

#[test]
fn a_run_has_only_figures_with_data() {
    let names = |record| {
        plots(&record, Style::SCREEN).into_iter().map(|plot| plot.name).collect::<Vec<_>>().join(" ")
    };
    insta::assert_snapshot!(names(synthetic::dumbbell(10, 60)), @"network rates throughput queues queue-cdf notifications notifications-by-flow");
    insta::assert_snapshot!(names(synthetic::incast_pfc()), @"network rates throughput queues queue-cdf pauses pauses-by-port congestion-trees");
    insta::assert_snapshot!(names(synthetic::fat_tree()), @"network rates throughput queues queue-cdf completion-times slowdowns");
    assert_eq!(names(synthetic::empty()), "");
}

#[test]
fn boxes_do_not_overlap_and_stay_within_the_drawing() {
    for (name, record) in synthetic::all().into_iter().filter(|(name, _)| *name != "empty") {
        for size in [Size::Wide, Size::Narrow] {
            let svg = topology::svg(&record, size, Surface::Page).expect("a network");
            let document = Document::parse(&svg).expect("well-formed");
            let view = document.root_element().attribute("viewBox").expect("a size").to_string();
            let view: Vec<f64> = view.split(' ').map(|number| number.parse().expect("a number")).collect();
            let boxes: Vec<[f64; 4]> =
                document.descendants().filter(|node| node.has_tag_name("rect")).map(edges).collect();
            for (index, one) in boxes.iter().enumerate() {
                assert!(
                    one[0] >= 0.0 && one[1] >= 0.0 && one[2] <= view[2] && one[3] <= view[3],
                    "{name} {size:?} {one:?}"
                );
                for other in &boxes[index + 1..] {
                    let apart =
                        one[2] <= other[0] || other[2] <= one[0] || one[3] <= other[1] || other[3] <= one[1];
                    assert!(apart, "{name} {size:?}: {one:?} on {other:?}");
                }
            }
        }
    }
}

/// Left, top, right and bottom of a rectangle.
fn edges(node: Node<'_, '_>) -> [f64; 4] {
    let number =
        |name: &str| node.attribute(name).and_then(|text| text.parse::<f64>().ok()).expect("a number");
    let (x, y) = (number("x"), number("y"));
    [x, y, x + number("width"), y + number("height")]
}

#[test]
fn many_stations_share_a_box_and_the_sink_of_an_incast_does_not() {
    let texts = |record| {
        let svg = topology::svg(&record, Size::Wide, Surface::Page).expect("a network");
        let document = Document::parse(&svg).expect("well-formed");
        let labels =
            document.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text());
        labels.map(|text| text.replace('\u{a0}', " ")).collect::<Vec<_>>().join(" | ")
    };
    insta::assert_snapshot!(texts(synthetic::dumbbell(400, 60)), @"left | right | s1…s400 | 400 stations | r1 | 10 Gb/s | 99.78 % | 400 × 10 Gb/s, up to 0.154 % | Link utilisation | 0 | 100 %");
    insta::assert_snapshot!(texts(synthetic::incast_pfc()), @"bridge | h1…h64 | 64 stations | h65 | 64 × 10 Gb/s, up to 1.6 %, paused 98.1 % | Link utilisation | 0 | 100 % | was paused");
    let mut record = synthetic::incast_pfc();
    record.summary.flows = record.summary.flows.into_iter().step_by(2).collect();
    insta::assert_snapshot!(texts(record), @"bridge | 32 stations (h1, …) | 32 stations (h2, …) | h65 | 32 × 10 Gb/s, up to 1.6 %, paused 98.1 % | 32 × 10 Gb/s, up to 1.6 %, paused 98.1 % | Link utilisation | 0 | 100 % | was paused");
    insta::assert_snapshot!(texts(synthetic::dumbbell(2, 60)), @"left | right | s1 | s2 | r1 | 10 Gb/s | 99.78 % | Link utilisation | 0 | 100 %");
}

#[test]
fn a_line_breaks_where_there_is_no_value() {
    let axes = || (Axis::linear("x", Unit::Ratio, (0.0, 4.0)), Axis::linear("y", Unit::Ratio, (0.0, 4.0)));
    let (x, y) = axes();
    let mut figure = Figure::new("gap", "Gap", x, y);
    let points = vec![(0.0, 1.0), (1.0, 2.0), (2.0, f64::NAN), (3.0, f64::INFINITY), (3.5, 1.0), (4.0, 1.0)];
    let (name, colour) = ("line".into(), Colour::Series(0));
    figure.marks.push(Mark::Line(Line { name, colour, shape: Shape::Straight, points }));
    let svg = figure.svg(Size::Wide, Surface::File(Style::SCREEN));
    let document = Document::parse(&svg).expect("well-formed");
    let paths: Vec<&str> = document.descendants().filter_map(|node| node.attribute("d")).collect();
    assert_eq!(paths.len(), 1);
    assert_eq!(paths[0].matches('M').count(), 2, "{}", paths[0]);
    let (x, y) = axes();
    assert!(
        Figure::new("none", "None", x, y).svg(Size::Narrow, Surface::File(Style::SCREEN)).contains("no data")
    );
}

/// Strokes of paths and the titles of their groups.
fn strokes(svg: &str) -> Vec<(String, String)> {
    let document = Document::parse(svg).expect("well-formed");
    let of = |node: Node<'_, '_>| {
        let title = node.parent()?.children().find(|child| child.has_tag_name("title"))?;
        let stroke = node.attribute("stroke").filter(|&stroke| stroke != "none")?;
        Some((stroke.to_owned(), title.text()?.to_owned()))
    };
    document.descendants().filter(|node| node.has_tag_name("path")).filter_map(of).collect()
}

#[test]
fn a_bundle_of_links_to_stations_is_labelled_and_no_hairline() {
    let svg = topology::svg(&synthetic::incast_pfc(), Size::Wide, Surface::Page).expect("a network");
    let label = svg.split('>').find(|text| text.contains(" × 10\u{a0}Gb/s, up to ")).expect("a label");
    assert!(label.contains(", paused "), "{label}");
    let links = svg.split("class=\"link\"").skip(1).filter_map(|link| link.split("stroke-width=\"").nth(1));
    let widths = links.filter_map(|text| text.split('"').next()?.parse::<f64>().ok());
    let thinnest = widths.fold(f64::MAX, f64::min);
    assert!(thinnest >= 3.0, "{thinnest}");
}

#[test]
fn a_congestion_tree_is_coloured_by_distance_from_its_root() {
    let record = synthetic::fat_tree_pfc();
    let svg = topology::congestion_trees(&record, Size::Wide, Surface::Page).expect("a tree");
    let strokes = strokes(&svg);
    let colour = |start: &str| {
        let found = strokes.iter().find(|(_, title)| title.starts_with(start));
        found.unwrap_or_else(|| panic!("no link of {start}")).0.clone()
    };
    assert_eq!(colour("agg1.1→edge1.1: paused 300 times"), "var(--d0)");
    assert_eq!(colour("core1→agg1.1: paused"), "var(--d1)");
    assert_eq!(colour("agg2.1→core1: paused"), "var(--d2)");
    assert_eq!(colour("edge2.1→agg2.1: paused"), "var(--d3)");
    assert_eq!(colour("edge1.1→h1: root of a tree"), "var(--ink)");
    assert_eq!(strokes.iter().filter(|(stroke, _)| stroke.starts_with("var(--d")).count(), 20);
}

#[test]
fn a_deadlock_is_highlighted_and_parallel_links_are_distinct() {
    let record = synthetic::deadlock();
    let svg = topology::congestion_trees(&record, Size::Narrow, Surface::Page).expect("a tree");
    assert_eq!(svg.matches("stroke-width=\"15\"").count(), 5);
    assert_eq!(svg.matches("in the deadlock").count(), 5);
    let mut record = synthetic::dumbbell(2, 60);
    let twin = record.topology.links.last().expect("a link").clone();
    record.topology.links.push(twin);
    let nodes = &record.topology.nodes;
    let link = record.topology.links.last().expect("a link");
    let name = format!("{}->{}#2", nodes[link.first].name, nodes[link.second].name);
    let pause = |port: &str| PauseSummary {
        port: port.into(),
        ..synthetic::deadlock().summary.congestion_trees.pauses[0].clone()
    };
    record.summary.congestion_trees.pauses = vec![pause(&name)];
    let svg = topology::congestion_trees(&record, Size::Wide, Surface::Page).expect("a tree");
    assert!(svg.contains("#2: paused once"), "the second of two links was not found");
}

#[test]
fn without_pauses_there_is_no_tree_to_draw() {
    assert_eq!(topology::congestion_trees(&synthetic::dumbbell(2, 60), Size::Wide, Surface::Page), None);
}
