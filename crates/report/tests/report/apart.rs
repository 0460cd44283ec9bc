//! Labels in drawings do not overlap and stay within the drawing, even in the widest of the common fonts.

use roxmltree::Document;
use setpoint_plot::text::{strong_width, text_width};
use setpoint_plot::{Paper, Size, Style, Surface, Words};
use setpoint_report::{plots, topology};

use crate::sweep::{RULE, SENDERS, SET_POINT, swept};
use crate::synthetic;
use crate::synthetic::theory as records;

/// A piece of text: its left and right ends, and its baseline.
#[derive(Debug)]
#[expect(dead_code, reason = "the words appear only in messages")]
struct Text {
    words: String,
    left: f64,
    right: f64,
    base: f64,
}

/// All pieces of text in a drawing, and its left and right edges.
fn texts(svg: &str) -> (Vec<Text>, (f64, f64)) {
    let document = Document::parse(svg).expect("well-formed");
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let view: Vec<f64> =
        document.root_element().attribute("viewBox").expect("a size").split(' ').map(number).collect();
    let text = |node: roxmltree::Node<'_, '_>| {
        let words = node.text()?.to_owned();
        let attribute = |name: &str| node.attribute(name).map(number);
        let size = attribute("font-size")?;
        let heavy = node.attribute("font-weight").is_some();
        let width = if heavy { strong_width(&words, size) } else { text_width(&words, size) };
        let x = attribute("x")?;
        let left = match node.attribute("text-anchor") {
            Some("middle") => x - width / 2.0,
            Some("end") => x - width,
            _ => x,
        };
        Some(Text { words, left, right: left + width, base: attribute("y")? })
    };
    let found = document.descendants().filter(|node| node.tag_name().name() == "text").filter_map(text);
    (found.collect(), (view[0], view[0] + view[2]))
}

fn assert_apart(name: &str, svg: &str) {
    let (texts, (left, right)) = texts(svg);
    assert!(!texts.is_empty(), "{name} has no text");
    for (index, one) in texts.iter().enumerate() {
        assert!(one.left >= left - 1.0 && one.right <= right + 1.0, "{name}: {one:?} beyond {left}..{right}");
        for other in &texts[index + 1..] {
            let same_line = (one.base - other.base).abs() < 1.0;
            let apart = one.right <= other.left + 0.5 || other.right <= one.left + 0.5;
            assert!(apart || !same_line, "{name}: {one:?} runs into {other:?}");
        }
    }
}

/// The screen, a column with and without title and notes, and the narrowest figure possible with its font.
fn styles() -> [Style; 4] {
    let sized = |size: &str, font: &str| {
        let paper = Paper::new(size.parse().expect("a size"), font.parse().expect("a length"));
        Style { paper: Some(paper.expect("room for text")), ..Style::SCREEN }
    };
    let plain = Style { title: Words::Hidden, note: Words::Hidden, ..sized("column", "8pt") };
    [Style::SCREEN, plain, sized("88mm x 60mm", "8pt"), sized("50mm x 36mm", "8pt")]
}

#[test]
fn texts_of_runs_do_not_overlap() {
    for (name, record) in synthetic::all().iter().chain(synthetic::large()) {
        for style in styles() {
            for plot in plots(record, style) {
                assert_apart(&format!("{name}/{}", plot.name), &plot.svg);
                assert!(setpoint_plot::pdf(&plot.svg).is_ok(), "{name}/{}", plot.name);
            }
        }
        for size in [Size::Wide, Size::Narrow] {
            if let Some(svg) = topology::svg(record, size, Surface::Page) {
                assert_apart(&format!("{name}/network {size:?}"), &svg);
            }
        }
    }
}

#[test]
fn texts_of_theory_do_not_overlap() {
    let pages = [
        setpoint_report::fluid(&records::fluid_and_packets(300.0)),
        setpoint_report::stability(&records::stability(100)),
        setpoint_report::stability(&records::stability(3)),
        setpoint_report::phase(&records::phase()),
    ];
    for page in &pages {
        assert!(!page.plots(Style::SCREEN).is_empty(), "{}", page.title);
        for plot in styles().into_iter().flat_map(|style| page.plots(style)) {
            assert_apart(&plot.name, &plot.svg);
            assert!(setpoint_plot::pdf(&plot.svg).is_ok(), "{}", plot.name);
        }
    }
}

#[test]
fn texts_of_sweeps_do_not_overlap() {
    for axes in [&[SENDERS][..], &[RULE], &[SENDERS, SET_POINT], &[SENDERS, SET_POINT, RULE]] {
        let mut summary = swept(axes, 2);
        summary.variants[0].figures.remove("queue_mean_bytes");
        let page = setpoint_report::sweep(&summary);
        for plot in styles().into_iter().flat_map(|style| page.plots(style)) {
            assert_apart(&plot.name, &plot.svg);
            assert!(setpoint_plot::pdf(&plot.svg).is_ok(), "{}", plot.name);
        }
        for drawing in drawings(&page.html()) {
            assert_apart("a sweep", &drawing);
        }
    }
}

/// The drawings of a page, wide and narrow.
fn drawings(page: &str) -> Vec<String> {
    let pieces = page.split("<svg class=\"").skip(1).filter_map(|rest| rest.split("</svg>").next());
    pieces.map(|piece| format!("<svg class=\"{piece}</svg>")).collect()
}

/// Drawings as embedded in a page, wide and narrow.
#[test]
fn texts_of_pages_do_not_overlap() {
    let runs = synthetic::all().into_iter().map(|(name, record)| (name, setpoint_report::html(&record)));
    let theory = [
        ("fluid", setpoint_report::fluid(&records::fluid(0.0)).html()),
        ("stability", setpoint_report::stability(&records::stability(100)).html()),
        ("phase", setpoint_report::phase(&records::phase()).html()),
    ];
    for (name, page) in runs.chain(theory) {
        for drawing in drawings(&page) {
            assert_apart(name, &drawing);
        }
    }
}
