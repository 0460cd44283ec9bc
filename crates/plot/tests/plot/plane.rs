//! Planes: curves in any direction, their arrows, and their tooltips.

use roxmltree::{Document, Node};
use setpoint_plot::{Axis, Colour, Figure, Mark, Path, Plane, Points, Room, Size, Style, Surface, Symbol};
use setpoint_units::quantity::Unit;

const SIZES: [(Size, Surface); 4] = [
    (Size::Wide, Surface::Page),
    (Size::Narrow, Surface::Page),
    (Size::Wide, Surface::File(Style::SCREEN)),
    (Size::Narrow, Surface::File(Style::SCREEN)),
];

/// A spiral into the origin, or a circle around it if `shrink` is zero.
fn spiral(count: usize, turns: f64, shrink: f64) -> Vec<(f64, f64)> {
    let point = |index: usize| {
        let share = index as f64 / count as f64;
        let (angle, radius) = (share * turns * std::f64::consts::TAU, 1.0 - shrink * share);
        (20e3 * radius * angle.cos(), 4e9 * radius * angle.sin())
    };
    (0..=count).map(point).collect()
}

fn portrait(marks: Vec<Mark>) -> Figure {
    let x = Axis::linear("Queue offset", Unit::Bytes, (-25e3, 25e3));
    let y = Axis::linear("Rate excess", Unit::BitsPerSecond, (-5e9, 5e9));
    let mut figure = Figure::new("portrait", "Phase plane", x, y);
    (figure.plane, figure.room, figure.marks) = (Plane::Phase, Room::Half, marks);
    figure.alternative = "A spiral into the origin.".into();
    figure
}

fn trajectory(points: Vec<(f64, f64)>) -> Mark {
    let times = (0..points.len()).map(|index| index as f64 * 1e-6).collect();
    Mark::Path(Path::trajectory("trajectory", Colour::Series(0), points).along("Time", Unit::Seconds, times))
}

/// All coordinates of the paths among the marks, without the arrow heads.
fn vertices(svg: &str) -> Vec<(f64, f64)> {
    let document = Document::parse(svg).expect("well-formed");
    let marks = document.descendants().find(|node| node.attribute("class") == Some("marks")).expect("marks");
    let paths = marks.descendants().filter(|node| node.attribute("stroke").is_some_and(|it| it != "none"));
    let pairs = paths.filter_map(|node| node.attribute("d")).flat_map(|path| {
        let pair = |text: &str| {
            let (x, y) = text.split_once(' ')?;
            Some((x.parse().ok()?, y.parse().ok()?))
        };
        path.split(['M', 'L']).filter_map(pair).collect::<Vec<(f64, f64)>>()
    });
    pairs.collect()
}

/// Left, top, right and bottom of the rectangle between the axes.
fn window(svg: &str) -> [f64; 4] {
    let text = svg.split("data-plot=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a window");
    let numbers: Vec<f64> = text.split(' ').map(|number| number.parse().expect("a number")).collect();
    numbers.try_into().expect("four numbers")
}

#[test]
fn a_dense_spiral_keeps_its_loops_and_its_extremes() {
    let svg = portrait(vec![trajectory(spiral(200_000, 9.0, 0.9))]).svg(Size::Wide, Surface::Page);
    assert!(svg.len() < 40_000, "{} bytes", svg.len());
    let [left, top, right, bottom] = window(&svg);
    let vertices = vertices(&svg);
    let x = |value: f64| left + (value + 25e3) / 50e3 * (right - left);
    let y = |value: f64| bottom - (value + 5e9) / 10e9 * (bottom - top);
    let has = |at: (f64, f64)| vertices.iter().any(|vertex| (vertex.0 - at.0).hypot(vertex.1 - at.1) < 1.0);
    // Checks the outermost turn and one far inside, on all four sides.
    for turn in [0.0, 4.0] {
        for quarter in 0..4 {
            let share = (turn + f64::from(quarter) / 4.0) / 9.0;
            let (radius, angle) = (1.0 - 0.9 * share, f64::from(quarter) * std::f64::consts::FRAC_PI_2);
            let at = (x(20e3 * radius * angle.cos()), y(4e9 * radius * angle.sin()));
            let near = vertices
                .iter()
                .map(|vertex| (vertex.0 - at.0).hypot(vertex.1 - at.1))
                .fold(f64::MAX, f64::min);
            assert!(near < 8.0, "turn {turn}, side {quarter}: {near} away");
        }
    }
    assert!(has((x(20e3), y(0.0))), "the start is on the curve");
}

#[test]
fn a_limit_cycle_of_a_million_points_makes_a_small_file() {
    let figure = portrait(vec![trajectory(spiral(1_000_000, 900.0, 0.0))]);
    for (size, surface) in SIZES {
        let svg = figure.svg(size, surface);
        assert!(svg.len() < 40_000, "{} bytes", svg.len());
    }
    assert!(figure.data().len() < 20_000);
}

#[test]
fn arrows_and_end_marks_show_the_direction() {
    let figure = portrait(vec![trajectory(spiral(4000, 3.0, 0.8))]);
    let svg = figure.svg(Size::Wide, Surface::File(Style::SCREEN));
    let document = Document::parse(&svg).expect("well-formed");
    let heads = document
        .descendants()
        .find(|node| node.attribute("class") == Some("arrows"))
        .and_then(|node| node.attribute("d"))
        .expect("arrows");
    assert!((4..=14).contains(&heads.matches('M').count()), "{heads}");
    // The start and the end of the curve, and the same symbols in the legend.
    assert_eq!(document.descendants().filter(|node| node.tag_name().name() == "circle").count(), 4);
    for word in ["start", "end"] {
        assert!(svg.contains(&format!(">{word}<")), "{word}");
    }
}

#[test]
fn zero_lines_are_drawn_if_they_are_visible() {
    let zeros = |figure: &Figure| figure.svg(Size::Wide, Surface::Page).matches("class=\"zero\"").count();
    let mut figure = portrait(vec![trajectory(spiral(100, 1.0, 0.0))]);
    assert_eq!(zeros(&figure), 2);
    figure.x.range = (10.0, 20.0);
    assert_eq!(zeros(&figure), 1);
    figure.plane = Plane::Chart;
    assert_eq!(zeros(&figure), 0);
}

#[test]
fn curves_are_clipped_at_the_edge() {
    let across = vec![(-1e6, 1e9), (1e6, 1e9), (1e6, -9e9), (0.0, -9e9), (0.0, 2e9)];
    let lines = Mark::Path(Path::border("Fb = 0", Colour::Ink, across));
    let svg = portrait(vec![lines]).svg(Size::Wide, Surface::Page);
    let [left, top, right, bottom] = window(&svg);
    let vertices = vertices(&svg);
    assert_eq!(vertices.len(), 4, "{vertices:?}");
    let inside = |&(x, y): &(f64, f64)| {
        (left - 0.1..=right + 0.1).contains(&x) && (top - 0.1..=bottom + 0.1).contains(&y)
    };
    assert!(vertices.iter().all(inside), "{vertices:?}");
}

#[test]
fn a_circle_is_round_if_both_scales_are_equal() {
    for (room, x) in [(Room::Half, (-2.0, 2.0)), (Room::Full, (-2.0, 6.0)), (Room::Half, (-1.0, 1.0))] {
        let mut figure = portrait(Vec::new());
        (figure.x.range, figure.y.range) = (x, (-2.0, 2.0));
        (figure.plane, figure.room) = (Plane::Complex, room);
        for size in [Size::Wide, Size::Narrow] {
            let [left, top, right, bottom] = window(&figure.svg(size, Surface::Page));
            let scales = ((right - left) / (x.1 - x.0), (bottom - top) / 4.0);
            assert!((scales.0 / scales.1 - 1.0).abs() < 0.01, "{room:?} {size:?} {scales:?}");
        }
    }
}

#[test]
fn tooltips_show_both_labels_and_the_time() {
    let data = portrait(vec![trajectory(spiral(3, 1.0, 0.0))]).data();
    let data: serde_json::Value = serde_json::from_str(&data).expect("valid JSON");
    assert_eq!((data["xl"].as_str(), data["yl"].as_str()), (Some("Queue offset"), Some("Rate excess")));
    let along = &data["series"][0]["a"];
    assert_eq!((along["l"].as_str(), along["u"].as_str()), (Some("Time"), Some("s")));
    assert_eq!(along["v"], serde_json::json!([0, 1e-6, 2e-6, 3e-6]));
    let mut chart = portrait(vec![trajectory(spiral(3, 1.0, 0.0))]);
    chart.plane = Plane::Chart;
    assert!(!chart.data().contains("\"yl\""));
}

#[test]
fn paths_with_the_same_name_share_a_legend_entry() {
    let path = |colour| Mark::Path(Path::trajectory("trajectory", colour, spiral(50, 1.0, 0.3)));
    let figure = portrait(vec![path(Colour::Series(0)), path(Colour::Series(0)), path(Colour::Series(1))]);
    assert_eq!(figure.svg(Size::Wide, Surface::File(Style::SCREEN)).matches(">trajectory<").count(), 2);
}

#[test]
fn odd_paths_are_still_drawn() {
    let odd = |points: Vec<(f64, f64)>| {
        let borders = Path::border("</script>", Colour::Ink, points.clone());
        let symbol =
            Points { name: "p".into(), colour: Colour::Alarm, symbol: Symbol::Cross, points: points.clone() };
        portrait(vec![trajectory(points), Mark::Path(borders), Mark::Points(symbol)])
    };
    let figures = [
        odd(Vec::new()),
        odd(vec![(0.0, 0.0)]),
        odd(vec![(f64::NAN, 0.0); 3]),
        odd(vec![
            (0.0, 0.0),
            (f64::INFINITY, 1.0),
            (1.0, f64::NEG_INFINITY),
            (1e300, -1e300),
            (-1e300, 1e300),
        ]),
        odd(vec![(5.0, 5.0); 1000]),
    ];
    for figure in figures {
        for (size, surface) in SIZES {
            let svg = figure.svg(size, surface);
            let document = Document::parse(&svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
            let numbers = |node: Node<'_, '_>| {
                node.attributes().all(|it| !it.value().contains("NaN") && !it.value().contains("inf"))
            };
            assert!(document.descendants().all(numbers), "{svg}");
        }
        assert!(!figure.data().contains('<'));
    }
}
