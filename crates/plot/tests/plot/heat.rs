//! Heat maps: cells, colours, missing values, the line at a threshold.

use roxmltree::{Document, Node};
use setpoint_plot::{
    Axis, Colour, HEAT_STEPS, HeatCell, HeatMap, Panel, Places, Room, Size, Style, Surface, Threshold,
    scale_for,
};
use setpoint_units::quantity::Unit;

const SIZES: [(Size, Surface); 4] = [
    (Size::Wide, Surface::Page),
    (Size::Narrow, Surface::Page),
    (Size::Wide, Surface::File(Style::SCREEN)),
    (Size::Narrow, Surface::File(Style::SCREEN)),
];

fn names(of: &str, count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("{of}{number}")).collect()
}

/// A map with the given rows of values, from the bottom row up; NaN is a cell without a value.
fn map(panels: &[&[&[f64]]]) -> HeatMap {
    let (rows, columns) = (panels[0].len(), panels[0][0].len());
    let values = panels.iter().flat_map(|rows| rows.iter().flat_map(|row| row.iter().copied()));
    let scale = scale_for("Queue", Unit::Bytes, values);
    let sides = (Places::new("Senders", names("x", columns)), Places::new("Set point", names("y", rows)));
    let mut map = HeatMap::new("queue", "Mean queue", sides, scale);
    let cell = |value: &f64| HeatCell::new(Some(*value));
    let panel = |(index, rows): (usize, &&[&[f64]])| Panel {
        title: if panels.len() > 1 { format!("panel {index}") } else { String::new() },
        rows: rows.iter().map(|row| row.iter().map(cell).collect()).collect(),
    };
    map.panels = panels.iter().enumerate().map(panel).collect();
    map
}

/// The title and the colour of each cell of a file.
fn cells(svg: &str) -> Vec<(String, String)> {
    let document = Document::parse(svg).expect("well-formed");
    let of = |group: Node<'_, '_>| {
        let title = group.children().find(|child| child.has_tag_name((SVG, "title")))?.text()?;
        let fill = group.children().find(|child| child.has_tag_name((SVG, "rect")))?.attribute("fill")?;
        Some((title.replace('\u{a0}', " "), fill.to_owned()))
    };
    document.descendants().filter(|node| node.has_tag_name((SVG, "g"))).filter_map(of).collect()
}

const SVG: &str = "http://www.w3.org/2000/svg";

/// Relative luminance of `#rrggbb`.
fn luminance(colour: &str) -> f64 {
    let channel = |at: usize| {
        let share = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).expect("a colour")) / 255.0;
        if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn every_pair_of_places_has_a_labelled_cell() {
    let svg =
        map(&[&[&[1e3, 2e3, 3e3], &[4e3, 5e3, 26_412.0]]]).svg(Size::Wide, Surface::File(Style::SCREEN));
    let cells = cells(&svg);
    let words: Vec<&str> = cells.iter().map(|(words, _)| words.as_str()).collect();
    insta::assert_snapshot!(words.join("\n"), @r"
    Senders x1, Set point y1: 1 kB
    Senders x2, Set point y1: 2 kB
    Senders x3, Set point y1: 3 kB
    Senders x1, Set point y2: 4 kB
    Senders x2, Set point y2: 5 kB
    Senders x3, Set point y2: 26.4 kB
    ");
    for text in ["Queue (kB)", ">26.4<", ">1.0<", ">x3<", ">y2<", ">Senders<", ">Set point<"] {
        assert!(svg.contains(text), "{text}");
    }
}

#[test]
fn colours_keep_the_order_of_values_even_in_greyscale() {
    let values: Vec<f64> = (0..40).map(|step| f64::from(step) * 1e3).collect();
    for scale in
        [Axis::linear("q", Unit::Bytes, (0.0, 39e3)), Axis::logarithmic("q", Unit::Bytes, (1e3, 39e3))]
    {
        let map = HeatMap { scale, ..map(&[&[&values]]) };
        let light: Vec<f64> = cells(&map.svg(Size::Wide, Surface::File(Style::SCREEN)))
            .iter()
            .map(|(_, fill)| luminance(fill))
            .collect();
        assert!(light.windows(2).all(|pair| pair[1] <= pair[0]), "{light:?}");
        let mut steps = light.clone();
        steps.dedup();
        assert!(steps.len() >= 8, "only {} colours", steps.len());
    }
}

#[test]
fn the_ramp_has_even_steps_and_readable_text_in_both_themes() {
    let file = |colour: Colour| colour.on(Surface::File(Style::SCREEN)).to_owned();
    let css = setpoint_plot::THEMES;
    let variable = |theme: &str, name: &str| {
        let after = theme.split(&format!("--{name}:#")).nth(1).expect("a colour");
        let digits: String = after.chars().take_while(char::is_ascii_hexdigit).collect();
        if digits.len() == 3 {
            format!("#{}", digits.chars().flat_map(|c| [c, c]).collect::<String>())
        } else {
            format!("#{digits}")
        }
    };
    let on_page = |theme: &str, colour: Colour| {
        let name = colour.on(Surface::Page);
        variable(theme, name.trim_start_matches("var(--").trim_end_matches(')'))
    };
    // The style sheet has the light theme once and the dark one twice: for the system's choice and for the reader's.
    let themes: Vec<&str> = css.split("--paper:").skip(1).collect();
    assert_eq!(themes.len(), 3);
    for step in 0..HEAT_STEPS {
        assert_eq!(on_page(themes[0], Colour::Heat(step)), file(Colour::Heat(step)));
        assert_eq!(on_page(themes[1], Colour::Heat(step)), on_page(themes[2], Colour::Heat(step)));
        for theme in &themes {
            let ratio = contrast(&on_page(theme, Colour::Heat(step)), &on_page(theme, Colour::OnHeat(step)));
            assert!(ratio >= 4.5, "step {step}: {ratio}");
        }
        assert!(contrast(&file(Colour::Heat(step)), &file(Colour::OnHeat(step))) >= 4.5);
    }
    let lightness = |colour: &str| 116.0 * luminance(colour).cbrt() - 16.0;
    for theme in &themes[..2] {
        let ramp: Vec<f64> =
            (0..HEAT_STEPS).map(|step| lightness(&on_page(theme, Colour::Heat(step)))).collect();
        let steps: Vec<f64> = ramp.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
        assert!(steps.iter().all(|step| (4.0..6.0).contains(step)), "{steps:?}");
    }
}

#[test]
fn cells_without_a_value_are_hatched_and_have_no_colour_of_the_scale() {
    let mut map = map(&[&[&[1.0, f64::NAN], &[f64::INFINITY, 2.0]]]);
    map.panels[0].rows[1].pop();
    map.panels[0].rows[0][1] = HeatCell { value: None, note: "failed".into() };
    let svg = map.svg(Size::Wide, Surface::File(Style::SCREEN));
    let ramp: Vec<&str> =
        (0..HEAT_STEPS).map(|step| Colour::Heat(step).on(Surface::File(Style::SCREEN))).collect();
    let cells = cells(&svg);
    let missing: Vec<&str> = cells
        .iter()
        .filter(|(_, fill)| !ramp.contains(&fill.as_str()))
        .map(|(words, _)| words.as_str())
        .collect();
    insta::assert_snapshot!(missing.join("\n"), @r"
    Senders x2, Set point y1: no value: failed
    Senders x1, Set point y2: no value
    Senders x2, Set point y2: no value
    ");
    // Three cells and the sample in the legend.
    assert_eq!(svg.matches("class=\"missing\"").count(), 4);
    assert!(svg.contains(">no value<"));
    assert!(map.alternative().contains("3 of 4 cells have no value"), "{}", map.alternative());
    assert!(!self::map(&[&[&[1.0, 2.0]]]).svg(Size::Wide, Surface::File(Style::SCREEN)).contains("no value"));
}

#[test]
fn a_line_runs_between_cells_on_different_sides_of_the_threshold() {
    let segments = |map: &HeatMap| {
        let svg = map.svg(Size::Wide, Surface::File(Style::SCREEN));
        let document = Document::parse(&svg).expect("well-formed");
        let contours = document.descendants().filter(|node| node.attribute("class") == Some("contour"));
        let in_legend =
            |node: &Node<'_, '_>| node.ancestors().any(|group| group.attribute("class") == Some("legend"));
        let paths = contours.filter(|node| !in_legend(node)).filter_map(|node| node.attribute("d"));
        paths.map(|path| path.matches('M').count()).sum::<usize>()
    };
    let mut map = map(&[&[&[1.0, 2.0, 9.0], &[1.0, 8.0, 9.0]]]);
    assert_eq!(segments(&map), 0);
    map.threshold = Some(Threshold { at: 8.0, meaning: "feedback implosion begins".into() });
    assert_eq!(segments(&map), 3);
    assert!(map.svg(Size::Wide, Surface::Page).contains(">feedback implosion begins<"));
    // A cell without a value is on neither side.
    map.panels[0].rows[1][1].value = None;
    assert_eq!(segments(&map), 1);
    map.threshold = Some(Threshold { at: 100.0, meaning: "it breaks".into() });
    assert_eq!(segments(&map), 0);
    assert!(map.svg(Size::Wide, Surface::Page).contains(">it breaks: in no cell<"));
}

#[test]
fn panels_share_one_scale() {
    let map = HeatMap { room: Room::Full, ..map(&[&[&[1e3, 5e3]], &[&[5e3, 9e3]], &[&[5e3, 0.0]]]) };
    let cells = cells(&map.svg(Size::Wide, Surface::File(Style::SCREEN)));
    assert_eq!(cells.len(), 6);
    assert_eq!((&cells[1].1, &cells[1].1), (&cells[2].1, &cells[4].1));
    assert_eq!(cells[3].0, "Senders x2, Set point y1, panel 1: 9 kB");
    assert!(map.alternative().contains("in 3 panels: panel 0, panel 1, panel 2"), "{}", map.alternative());
}

#[test]
fn values_are_written_if_there_is_room() {
    let texts = |map: &HeatMap| {
        let svg = map.svg(Size::Narrow, Surface::Page);
        let document = Document::parse(&svg).expect("well-formed");
        let cells =
            document.descendants().find(|node| node.attribute("class") == Some("cells")).expect("cells");
        cells.descendants().filter(|node| node.has_tag_name("text")).count()
    };
    let row: Vec<f64> = (0..6).map(|step| f64::from(step) * 1e3).collect();
    assert_eq!(texts(&map(&[&[&row]])), 6);
    let long: Vec<f64> = (0..60).map(|step| f64::from(step) * 1e3).collect();
    assert_eq!(texts(&map(&[&[&long]])), 0);
    // Six panels of six columns do not fit side by side on a phone: they are placed in rows.
    let panel: [&[f64]; 1] = [&row];
    assert_eq!(texts(&map(&[&panel[..]; 6])), 36);
}

/// Left, top, width and height of every cell and of the whole drawing.
fn boxes(svg: &str) -> (Vec<[f64; 4]>, [f64; 4]) {
    let document = Document::parse(svg).expect("well-formed");
    let read = |text: &str| text.parse::<f64>().expect("a number");
    let view: Vec<f64> =
        document.root_element().attribute("viewBox").expect("a size").split(' ').map(read).collect();
    let group = document.descendants().find(|node| node.attribute("class") == Some("cells")).expect("cells");
    let of = |node: Node<'_, '_>| {
        ["x", "y", "width", "height"].map(|name| read(node.attribute(name).expect("there")))
    };
    let named = |name: &'static str| group.descendants().filter(move |node| node.tag_name().name() == name);
    // A page has one path for all cells of a colour, with a piece like "M10 20h5v6h-5z" for each cell.
    let piece = |piece: &str| {
        let numbers: Vec<f64> = piece.split([' ', 'h', 'v', 'z']).take(4).map(read).collect();
        numbers.try_into().expect("four numbers")
    };
    let of_path = |node: Node<'_, '_>| {
        let path = node.attribute("d").expect("a path");
        path.split('M').skip(1).map(piece).collect::<Vec<[f64; 4]>>()
    };
    let cells = named("rect").map(of).chain(named("path").flat_map(of_path)).collect();
    (cells, view.try_into().expect("four numbers"))
}

#[test]
fn cells_do_not_overlap_and_stay_within_the_drawing() {
    let row: Vec<f64> = (0..17).map(f64::from).collect();
    let rows: Vec<&[f64]> = vec![&row; 40];
    let maps = [map(&[&[&[1.0]]]), map(&[&rows]), map(&[&rows[..3]; 5])];
    for map in maps {
        for room in [Room::Full, Room::Half, Room::Minor] {
            for (size, surface) in SIZES {
                let count = map.x.names.len() * map.y.names.len() * map.panels.len();
                let (cells, view) = boxes(&HeatMap { room, ..map.clone() }.svg(size, surface));
                assert_eq!(cells.len(), count, "{room:?} {size:?}");
                for (index, one) in cells.iter().enumerate() {
                    let within = one[0] >= view[0] && one[0] + one[2] <= view[0] + view[2];
                    assert!(within && one[1] + one[3] <= view[1] + view[3], "{room:?} {size:?} {one:?}");
                    // Coordinates are rounded to a tenth.
                    let before = |one: &[f64; 4], other: &[f64; 4], side: usize| {
                        one[side] + one[side + 2] <= other[side] + 0.2
                    };
                    let apart = |other: &[f64; 4]| {
                        (0..2).any(|side| before(one, other, side) || before(other, one, side))
                    };
                    assert!(cells[index + 1..].iter().all(apart), "{room:?} {size:?} {one:?}");
                }
            }
        }
    }
}

#[test]
fn odd_maps_are_still_drawn() {
    let hostile = "</script><img src=x onerror=alert(1)>\u{0}";
    let mut odd = map(&[&[&[f64::NAN, -1e300, 1e300], &[0.0, f64::NEG_INFINITY, 1e-300]]]);
    odd.x.label = hostile.into();
    odd.x.names[0] = hostile.repeat(20);
    odd.y.names[0] = hostile.repeat(20);
    odd.panels[0].title = hostile.into();
    odd.panels[0].rows[0][0].note = hostile.into();
    odd.threshold = Some(Threshold { at: f64::NAN, meaning: hostile.repeat(9) });
    let empty = HeatMap { panels: Vec::new(), ..map(&[&[&[1.0]]]) };
    let mut sideless = map(&[&[&[1.0]]]);
    sideless.x.names.clear();
    let log =
        HeatMap { scale: Axis::logarithmic("x", Unit::Seconds, (f64::NAN, 0.0)), ..map(&[&[&[0.0, 1.0]]]) };
    for map in [odd, empty, sideless, log] {
        for (size, surface) in SIZES {
            let svg = map.svg(size, surface);
            Document::parse(&svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
            assert!(!svg.contains("NaN") && !svg.contains("<img") && !svg.contains("inf "), "{svg}");
        }
        assert!(!map.data().contains('<'));
        let data: serde_json::Value = serde_json::from_str(&map.data()).expect("valid JSON");
        assert!(data["v"].is_array());
        assert!(map.alternative().starts_with("Heat map of "));
    }
}

#[test]
fn a_threshold_that_divides_nothing_has_no_line_in_the_legend() {
    let strokes = |values: &[f64]| {
        let mut map = map(&[&[values]]);
        map.threshold = Some(Threshold { at: 2e3, meaning: "frames are lost".into() });
        let svg = map.svg(Size::Wide, Surface::File(Style::SCREEN));
        (svg.matches("class=\"contour\"").count(), svg.contains(">frames are lost: in every cell<"))
    };
    assert_eq!(strokes(&[3e3, 4e3]), (0, true));
    assert_eq!(strokes(&[1e3, 4e3]), (3, false), "in the map, in the legend and on the scale");
}
