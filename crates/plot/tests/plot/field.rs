//! Maps over two continuous quantities: cells, contours, the border, points, file sizes.

use roxmltree::{Document, Node};
use setpoint_plot::{
    Axis, Border, Colour, FieldMap, HEAT_STEPS, Ramp, Room, Size, Spot, Spots, Style, Surface, Symbol,
    spanning,
};
use setpoint_units::quantity::Unit;

const SIZES: [(Size, Surface); 4] = [
    (Size::Wide, Surface::Page),
    (Size::Narrow, Surface::Page),
    (Size::Wide, Surface::File(Style::SCREEN)),
    (Size::Narrow, Surface::File(Style::SCREEN)),
];

/// Centres with a constant ratio or distance.
fn ratio(low: f64, high: f64, count: usize) -> Vec<f64> {
    (0..count).map(|index| low * (high / low).powf(index as f64 / (count - 1).max(1) as f64)).collect()
}

fn even(low: f64, high: f64, count: usize) -> Vec<f64> {
    (0..count).map(|index| low + (high - low) * index as f64 / (count - 1).max(1) as f64).collect()
}

/// A map of the ratio of margin to delay, by delay and senders; the margin grows with the number of senders.
fn stability(side: usize, value: impl Fn(f64, f64) -> Option<f64>) -> FieldMap {
    let (columns, rows) = (ratio(20e-6, 1e-3, side), even(1.0, 50.0, side));
    let axes = (spanning("Delay", Unit::Seconds, &columns), spanning("Senders", Unit::Ratio, &rows));
    let scale = Axis::logarithmic("Margin over delay", Unit::Ratio, (0.1, 10.0));
    let mut map = FieldMap::new("margin", "Margin over delay", axes, scale);
    map.values = rows.iter().map(|&row| columns.iter().map(|&column| value(column, row)).collect()).collect();
    (map.columns, map.rows) = (columns, rows);
    map.ramp = Ramp::Diverging(1.0);
    map.border = Some(Border::new(1.0, "stability boundary").between("unstable", "stable"));
    map.contours = vec![0.5, 2.0, 5.0];
    map
}

fn margin(delay: f64, senders: f64) -> Option<f64> {
    Some((150e-6 + 160e-6 * (1.0 - 1.0 / senders)) / delay)
}

fn spots(name: &str, symbol: Symbol, at: &[(f64, f64)]) -> Spots {
    let spot = |(index, at): (usize, &(f64, f64))| Spot {
        at: *at,
        size: index as f64 / 3.0,
        words: "swing 0.4".into(),
    };
    Spots { name: name.into(), symbol, spots: at.iter().enumerate().map(spot).collect() }
}

fn with_spots() -> FieldMap {
    let mut map = stability(100, margin);
    let steady = [(30e-6, 10.0), (60e-6, 30.0), (100e-6, 20.0), (200e-6, 45.0)];
    let swings = [(400e-6, 10.0), (600e-6, 30.0), (250e-6, 3.0), (800e-6, 45.0)];
    map.spots = vec![
        spots("packets: steady", Symbol::Ring, &steady),
        spots("packets: oscillates", Symbol::Triangle, &swings),
    ];
    map
}

/// The points of all contours of a class, in pixels.
fn line(svg: &str, class: &str) -> Vec<(f64, f64)> {
    let document = Document::parse(svg).expect("well-formed");
    let in_legend =
        |node: &Node<'_, '_>| node.ancestors().any(|group| group.attribute("class") == Some("legend"));
    let paths =
        document.descendants().filter(|node| node.attribute("class") == Some(class) && !in_legend(node));
    let pair = |text: &str| {
        let (x, y) = text.trim_end_matches('Z').split_once(' ')?;
        Some((x.parse().ok()?, y.parse().ok()?))
    };
    let pairs = |path: &str| path.split(['M', 'L']).filter_map(pair).collect::<Vec<(f64, f64)>>();
    paths.filter_map(|node| node.attribute("d")).flat_map(pairs).collect()
}

fn window(svg: &str) -> [f64; 4] {
    let text = svg.split("data-field=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a window");
    let numbers: Vec<f64> = text.split(' ').map(|number| number.parse().expect("a number")).collect();
    numbers.try_into().expect("four numbers")
}

#[test]
fn the_border_lies_where_the_value_is_reached() {
    let map = stability(100, margin);
    let svg = map.svg(Size::Wide, Surface::Page);
    let [left, top, right, bottom] = window(&svg);
    let points = line(&svg, "contour");
    assert!(points.len() > 10);
    for (x, y) in points {
        let delay = map.x.at((x - left) / (right - left));
        let senders = map.y.at((bottom - y) / (bottom - top));
        // The axis begins half a cell below one sender, where the map repeats the value for one sender.
        let value = margin(delay, senders.clamp(1.0, 50.0)).expect("a value");
        assert!((value - 1.0).abs() < 0.03, "{value} at {delay} {senders}");
    }
}

#[test]
fn the_border_is_recognisable_without_colour() {
    let svg = with_spots().svg(Size::Wide, Surface::File(Style::SCREEN));
    for words in ["stability boundary", "stable", "unstable", "packets: steady", "packets: oscillates"] {
        assert!(svg.contains(&format!(">{words}<")), "{words}");
    }
    for value in ["0.5", "2", "5"] {
        assert!(svg.contains(&format!("paint-order=\"stroke\" stroke=\"#ffffff\" stroke-width=\"4\" stroke-linejoin=\"round\">{value}<")), "{value}");
    }
    // The strokes point towards the unstable side, where delays are longer.
    let document = Document::parse(&svg).expect("well-formed");
    let strokes = document.descendants().rfind(|node| node.attribute("class") == Some("strokes"));
    let path = strokes.and_then(|node| node.attribute("d")).expect("strokes");
    let across: f64 = path
        .split('M')
        .filter_map(|stroke| stroke.split_once('l')?.1.split(' ').next()?.parse::<f64>().ok())
        .sum();
    assert!(path.matches('M').count() > 15 && across > 60.0, "{across} {path}");
}

#[test]
fn both_sides_of_the_border_have_different_colours() {
    let fills = |value: f64| {
        let map = FieldMap { border: None, ..stability(2, |_, _| Some(value)) };
        let svg = map.svg(Size::Wide, Surface::File(Style::SCREEN));
        let document = Document::parse(&svg).expect("well-formed");
        let cells =
            document.descendants().find(|node| node.attribute("class") == Some("cells")).expect("cells");
        cells.children().filter_map(|node| node.attribute("fill").map(str::to_owned)).collect::<Vec<_>>()
    };
    let step = |step: usize| vec![Colour::Against(step).on(Surface::File(Style::SCREEN)).to_owned()];
    assert_eq!(fills(0.0), step(0));
    assert_eq!(fills(0.01), step(0));
    assert_eq!(fills(0.999), step(HEAT_STEPS / 2 - 1));
    assert_eq!(fills(1.0), step(HEAT_STEPS / 2));
    assert_eq!(fills(1e9), step(HEAT_STEPS - 1));
}

#[test]
fn cells_without_a_value_are_hatched_and_end_contours() {
    let missing = |delay: f64, senders: f64| margin(delay, senders).filter(|_| senders > 25.0);
    let mut map = stability(40, missing);
    map.missing = "no equilibrium".into();
    let svg = map.svg(Size::Wide, Surface::Page);
    assert_eq!(svg.matches("class=\"missing\"").count(), 2, "the cells and the sample in the legend");
    assert!(svg.contains(">no equilibrium<"));
    let [_, top, _, bottom] = window(&svg);
    let middle = (top + bottom) / 2.0;
    assert!(line(&svg, "contour").iter().all(|point| point.1 < middle + 5.0));
    assert!(
        map.alternative().contains("of 1600 cells have no value: no equilibrium"),
        "{}",
        map.alternative()
    );
    assert!(!stability(40, margin).svg(Size::Wide, Surface::Page).contains("missing"));
}

#[test]
fn cells_leave_no_gap_between_them() {
    let map = stability(37, margin);
    for (size, surface) in SIZES {
        let svg = map.svg(size, surface);
        let document = Document::parse(&svg).expect("well-formed");
        let cells =
            document.descendants().find(|node| node.attribute("class") == Some("cells")).expect("cells");
        let blocks =
            cells.children().filter_map(|node| node.attribute("d")).flat_map(|path| path.split('M').skip(1));
        // Left, top, right and bottom in tenths of a pixel.
        let edges: Vec<[i64; 4]> = blocks
            .map(|block| {
                let number = |text: &str| (text.parse::<f64>().expect("a number") * 10.0).round() as i64;
                let (corner, rest) = block.split_once('h').expect("a width");
                let (left, top) = corner.split_once(' ').expect("a corner");
                let (width, rest) = rest.split_once('v').expect("a height");
                let height = rest.split('h').next().expect("a height");
                let (left, top) = (number(left), number(top));
                [left, top, left + number(width), top + number(height)]
            })
            .collect();
        let area = |edges: &[i64; 4]| (edges[2] - edges[0]) * (edges[3] - edges[1]);
        let side = |index: usize, of: fn(i64, i64) -> i64| {
            edges.iter().map(|edges| edges[index]).reduce(of).expect("one")
        };
        let whole = [side(0, i64::min), side(1, i64::min), side(2, i64::max), side(3, i64::max)];
        assert_eq!(edges.iter().map(area).sum::<i64>(), area(&whole), "{size:?} {surface:?}");
    }
}

#[test]
fn a_map_of_many_cells_makes_a_small_file() {
    for (side, most) in [(100, 60_000), (200, 110_000), (1000, 140_000)] {
        let map = stability(side, margin);
        for (size, surface) in SIZES {
            let length = map.svg(size, surface).len();
            assert!(length < most, "{side} cells each way: {length} bytes");
        }
        assert!(map.data().len() < 400_000, "{} bytes", map.data().len());
    }
    // The size is bounded even if no cell has the colour of its neighbour.
    let noise = stability(200, |delay, senders| {
        Some(((delay * 1e9).sin() * 43.0 + senders * 7.7).sin().abs() * 9.0 + 0.1)
    });
    let length = noise.svg(Size::Wide, Surface::Page).len();
    assert!(length < 3_000_000, "{length} bytes");
}

#[test]
fn the_text_alternative_describes_the_map() {
    insta::assert_snapshot!(with_spots().alternative().replace('\u{a0}', " "), @"Map of margin over delay, by delay from 20 µs to 1 ms and senders from 1 to 50. The smallest value is 0.15 at delay 1 ms, senders 1, the largest 15.3 at delay 20 µs, senders 50. A line marks the stability boundary: 68.6 % of the map is stable. Points marked “packets: steady”: 4. Points marked “packets: oscillates”: 4.");
}

#[test]
fn tooltips_show_values_and_points() {
    let data: serde_json::Value = serde_json::from_str(&with_spots().data()).expect("valid JSON");
    assert_eq!(data["v"].as_array().map(Vec::len), Some(100));
    assert_eq!((data["x"]["log"].as_bool(), data["y"]["log"].as_bool()), (Some(true), Some(false)));
    assert_eq!(data["s"][0], serde_json::json!([3e-5, 10, "packets: steady", "swing 0.4"]));
}

#[test]
fn odd_maps_are_still_drawn() {
    let hostile = "</script><img src=x onerror=alert(1)>\u{0}";
    let empty = FieldMap { columns: Vec::new(), values: Vec::new(), ..stability(3, margin) };
    let one = stability(1, margin);
    let mut odd = stability(3, |delay, _| Some(if delay > 1e-4 { f64::NAN } else { -1e300 }));
    (odd.title, odd.missing) = (hostile.into(), hostile.repeat(9));
    odd.columns = vec![f64::NAN, 0.0, -1.0];
    odd.rows = vec![5.0, 5.0, f64::INFINITY];
    odd.contours = vec![f64::NAN, 0.0, f64::INFINITY];
    odd.border = Some(Border::new(f64::NAN, hostile).between(hostile, hostile));
    odd.spots = vec![spots(hostile, Symbol::Disc, &[(f64::NAN, 1.0), (0.0, f64::INFINITY), (1e300, 2.0)])];
    let ragged = FieldMap { values: vec![vec![Some(1.0)]], room: Room::Minor, ..stability(4, margin) };
    let backwards = {
        let mut map = stability(5, margin);
        map.columns.reverse();
        map
    };
    for map in [empty, one, odd, ragged, backwards] {
        for (size, surface) in SIZES {
            let svg = map.svg(size, surface);
            Document::parse(&svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
            assert!(!svg.contains("NaN") && !svg.contains("<img") && !svg.contains("inf "), "{svg}");
        }
        assert!(!map.data().contains('<'));
        serde_json::from_str::<serde_json::Value>(&map.data()).expect("valid JSON");
        assert!(map.alternative().starts_with("Map of "));
    }
}
