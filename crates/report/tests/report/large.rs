//! Large networks: pages of limited size, with legible drawings.

use roxmltree::Document;
use setpoint_plot::{Size, Style, Surface};
use setpoint_report::{html, plots, topology};

use crate::synthetic;

/// Maximum size of a page, in bytes.
const PAGE: usize = 1_000_000;
/// Maximum height of a network drawing, in pixels.
const HEIGHT: f64 = 900.0;

fn labels(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).expect("well-formed");
    let texts =
        document.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text());
    texts.map(|text| text.replace('\u{a0}', " ")).collect()
}

fn network(name: &str) -> String {
    let (_, record) = synthetic::large().iter().find(|(of, _)| *of == name).expect("a record");
    topology::svg(record, Size::Wide, Surface::Page).expect("a network")
}

#[test]
fn pages_stay_below_a_megabyte() {
    for (name, record) in synthetic::all().iter().chain(synthetic::large()) {
        let page = html(record);
        assert!(page.len() < PAGE, "{name}: {} bytes", page.len());
    }
}

#[test]
fn drawings_of_networks_are_no_taller_than_a_screen() {
    for (name, record) in synthetic::all().iter().chain(synthetic::large()) {
        for size in [Size::Wide, Size::Narrow] {
            let drawings = [
                topology::svg(record, size, Surface::Page),
                topology::congestion_trees(record, size, Surface::Page),
            ];
            for svg in drawings.into_iter().flatten() {
                let document = Document::parse(&svg).expect("well-formed");
                let view = document.root_element().attribute("viewBox").expect("a size");
                let height: f64 =
                    view.rsplit(' ').next().and_then(|text| text.parse().ok()).expect("a height");
                assert!(height < HEIGHT, "{name} {size:?}: {height}");
            }
        }
    }
}

#[test]
fn racks_pods_and_spines_are_drawn_as_groups_with_counts() {
    let expected: [(&str, &[&str]); 5] = [
        ("rack-fabric-640", &["32 spines"]),
        ("rack-fabric-20", &["20 racks × 32 leaves", "640 leaves × 5 stations"]),
        ("spines-32", &["32 spines"]),
        ("fat-tree-16", &["127 edge bridges in 16 pods", "64 core bridges"]),
        ("star-1000-idle", &["1000 stations"]),
    ];
    for (name, texts) in expected {
        let labels = labels(&network(name));
        for text in texts {
            assert!(labels.iter().any(|label| label == text), "{name}: no {text:?} in {labels:#?}");
        }
    }
}

#[test]
fn roots_of_congestion_trees_have_separate_boxes() {
    let svg = network("rack-fabric-640");
    let labels = labels(&svg);
    // The trees with the longest pauses.
    for single in ["h25", "leaf1.5"] {
        assert!(labels.iter().any(|label| label == single), "{single} in {labels:#?}");
    }
    assert!(labels.iter().any(|label| label.starts_with("100 Gb/s, 100 %")), "{labels:#?}");
}

#[test]
fn a_bundle_shows_its_number_rate_and_busiest_link() {
    let labels = labels(&network("spines-32"));
    let bundle = labels.iter().find(|label| label.starts_with("2016 × 40 Gb/s, up to ")).expect("a bundle");
    assert!(bundle.ends_with(" %"), "{bundle}");
}

#[test]
fn a_shortened_table_refers_to_the_complete_one() {
    let page = html(&synthetic::large()[0].1);
    assert!(page.contains("200 of 9600 flows are listed, most losses first, then the fastest"));
    assert!(page.contains("summary.json lists all of them"));
    let rows = page.split("id=\"flows\"").nth(1).expect("flows").split("</section>").next().expect("an end");
    assert_eq!(rows.matches("<tr><th scope=\"row\">").count(), 200);
}

#[test]
fn plots_of_large_networks_are_self_contained() {
    for (name, record) in synthetic::large() {
        for plot in plots(record, Style::SCREEN) {
            Document::parse(&plot.svg).unwrap_or_else(|error| panic!("{name}/{}: {error}", plot.name));
            assert!(plot.svg.len() < 400_000, "{name}/{}: {} bytes", plot.name, plot.svg.len());
        }
    }
}

#[test]
fn links_to_the_spines_of_a_rack_fabric_are_not_measured() {
    let svg = network("rack-fabric-20").replace('\u{a0}', " ");
    assert!(svg.contains(", utilisation not measured</title>") && svg.contains(">not measured</text>"));
    assert!(!svg.contains("utilisation 0 %"), "an unknown utilisation is shown as zero");
    assert!(!network("spines-32").contains("not measured"), "the links of bridges are measured");
}

#[test]
fn only_the_most_notified_of_many_flows_are_drawn() {
    let page = html(&synthetic::dumbbell(400, 60));
    let figure = page.split("id=\"figure-notifications-by-flow\"").nth(1).expect("a figure");
    let figure = figure.split("</figure>").next().expect("an end");
    assert!(figure.contains("The 16 most notified of 400 flows."));
}
