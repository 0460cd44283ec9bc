//! Figures as files: their size on paper, greyscale, PNG and PDF.

use setpoint_plot::{
    Axis, Bars, Colour, Figure, Ink, Line, Mark, Paper, Shape, Size, Style, Surface, Words, pdf,
};
use setpoint_units::quantity::Unit;

fn figure() -> Figure {
    let axes = (Axis::from_zero("time", Unit::Seconds, 1.0), Axis::from_zero("queue", Unit::Bytes, 1e5));
    let mut figure = Figure::new("queue", "Queue ω (a)", axes.0, axes.1);
    let line = |series: usize, shape| {
        let points = vec![(0.0, 0.0), (0.5, 1e4 * (series as f64 + 1.0)), (1.0, 2e4)];
        Mark::Line(Line { name: format!("line {series}"), colour: Colour::Series(series), shape, points })
    };
    figure.marks.extend((0..6).map(|series| line(series, Shape::Straight)));
    figure.marks.push(line(1, Shape::Dotted));
    figure.note = "a note below the figure".into();
    figure
}

fn column() -> Style {
    let paper = Paper::new("88mm x 60mm".parse().expect("a size"), "8pt".parse().expect("a length"));
    Style { paper: Some(paper.expect("room for text")), ..Style::SCREEN }
}

fn drawing(style: Style) -> String {
    figure().svg(Size::Wide, Surface::File(style))
}

fn attribute<'a>(svg: &'a str, name: &str) -> &'a str {
    svg.split(&format!(" {name}=\"")).nth(1).and_then(|rest| rest.split('"').next()).expect("an attribute")
}

#[test]
fn a_figure_on_paper_has_the_given_size_and_font() {
    let svg = drawing(column());
    assert_eq!((attribute(&svg, "width"), attribute(&svg, "height")), ("88mm", "60mm"));
    let view: Vec<f64> =
        attribute(&svg, "viewBox").split(' ').map(|number| number.parse().expect("a number")).collect();
    let millimetres = 88.0 / view[2];
    assert!((view[3] * millimetres - 60.0).abs() < 0.05, "{view:?}");
    // Tick labels are 8 pt (2.822 mm).
    let label = &svg[svg.find(">0.5<").expect("a tick") - 120..];
    let font: f64 = attribute(label, "font-size").parse().expect("a number");
    assert!((font * millimetres - 8.0 * 25.4 / 72.0).abs() < 0.01, "{}", font * millimetres);
}

#[test]
fn title_and_note_may_be_left_out() {
    let style = Style { title: Words::Hidden, note: Words::Hidden, ..column() };
    let (with, without) = (drawing(column()), drawing(style));
    for words in [">Queue ω (a)</text>", "a note below the figure</text>"] {
        assert!(with.contains(words) && !without.contains(words), "{words}");
    }
    assert_eq!(attribute(&without, "height"), "60mm");
    // The title stays in the file for readers who cannot see the picture.
    assert!(without.contains("<title>Queue ω (a)</title>"));
}

#[test]
fn greyscale_has_no_colour_and_different_dashes() {
    let grey = Style { ink: Ink::Grey, ..Style::SCREEN };
    let svg = drawing(grey);
    for colour in svg.split("=\"#").skip(1).map(|rest| &rest[..6]) {
        assert!(colour[..2] == colour[2..4] && colour[..2] == colour[4..], "{colour}");
    }
    let marks =
        svg.split("<g class=\"marks\">").nth(1).and_then(|rest| rest.split("</g>").next()).expect("marks");
    let mut dashes: Vec<&str> = marks
        .split("<path ")
        .filter(|path| path.contains("fill=\"none\""))
        .take(6)
        .map(|path| {
            path.split("stroke-dasharray=\"").nth(1).map_or("", |rest| rest.split('"').next().unwrap_or(""))
        })
        .collect();
    dashes.sort_unstable();
    dashes.dedup();
    assert_eq!(dashes.len(), 6, "{dashes:?}");
}

#[test]
fn grey_bars_differ_in_lightness() {
    let names = Axis::categories("Algorithm", vec!["QCN".into()]);
    let mut figure = Figure::new("bars", "Bars", names, Axis::from_zero("Index", Unit::Ratio, 1.0));
    let bars = |series| Bars { name: format!("{series}"), colour: Colour::Series(series), values: vec![1.0] };
    figure.marks.extend((0..4).map(|series| Mark::Bars(bars(series))));
    let svg = figure.svg(Size::Wide, Surface::File(Style { ink: Ink::Grey, ..Style::SCREEN }));
    let mut shades: Vec<u8> = svg
        .split("<rect ")
        .filter(|bar| bar.contains("stroke=\"#101010\""))
        .map(|bar| u8::from_str_radix(&attribute(bar, "fill")[1..3], 16).expect("a colour"))
        .collect();
    shades.sort_unstable();
    shades.dedup();
    assert!(shades.len() == 4 && shades.windows(2).all(|pair| pair[1] - pair[0] >= 32), "{shades:?}");
}

#[cfg(feature = "png")]
#[test]
fn a_plot_becomes_a_picture_of_its_resolution() {
    let side = |picture: &[u8], from: usize| {
        u32::from_be_bytes(picture[from..from + 4].try_into().expect("4 bytes"))
    };
    let picture = setpoint_plot::png(&drawing(Style::SCREEN), 192).expect("a picture");
    assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(side(&picture, 16), 2144);
    let picture = setpoint_plot::png(&drawing(column()), column().dots_per_inch()).expect("a picture");
    // The size is 88 mm by 60 mm at 600 dots per inch, or 23622 dots per metre.
    assert_eq!((side(&picture, 16), side(&picture, 20)), (2079, 1417));
    assert_eq!(&picture[37..41], b"pHYs");
    assert_eq!((side(&picture, 41), side(&picture, 50)), (23622, 0x1494_4341));
    assert!(setpoint_plot::png("no drawing", 192).is_err());
}

/// The objects of a PDF, found through its cross-reference table.
fn objects(file: &[u8]) -> Vec<String> {
    let text: String = file.iter().map(|byte| char::from(*byte)).collect();
    assert!(text.starts_with("%PDF-1.4\n") && text.ends_with("%%EOF\n"));
    let start: usize = text
        .rsplit("startxref\n")
        .next()
        .and_then(|rest| rest.lines().next()?.parse().ok())
        .expect("a place");
    let table: Vec<&str> = text.chars().skip(start).collect::<String>().leak().split('\n').collect();
    assert_eq!(table[0], "xref");
    let count: usize = table[1].split(' ').nth(1).and_then(|count| count.parse().ok()).expect("a count");
    let letters: Vec<char> = text.chars().collect();
    let object = |number: usize| {
        // Each line of the table takes 20 bytes, including its line ending.
        assert_eq!(table[2 + number].len(), 19);
        let offset: usize = table[2 + number][..10].parse().expect("an offset");
        let found: String = letters[offset..].iter().collect();
        let body = found.strip_prefix(&format!("{number} 0 obj\n")).expect("the object of this number");
        body.split("\nendobj").next().expect("an end").to_owned()
    };
    (1..count).map(object).collect()
}

#[test]
fn a_plot_becomes_a_page_of_its_size() {
    let objects = objects(&pdf(&drawing(column())).expect("a page"));
    // The page size is 88 mm by 60 mm, in points.
    assert!(objects[2].contains("/MediaBox [0 0 249.449 170.079]"), "{}", objects[2]);
    let (header, stream) = objects[3].split_once("\nstream\n").expect("a stream");
    let stream = stream.strip_suffix("\nendstream").expect("an end");
    assert_eq!(header, format!("<< /Length {} >>", stream.chars().count()));
    for operators in ["(Queue ) Tj /F2 16 Tf (w) Tj", "(line 0) Tj", "(queue \\(kB\\)) Tj"] {
        assert!(stream.contains(operators), "{operators}");
    }
    assert_eq!(stream.matches("q ").count(), stream.matches(" Q").count());
    assert!(objects[4].contains("/Title <FEFF0051"), "{}", objects[4]);
    assert!(objects[6].contains("/Helvetica-Bold /Encoding /WinAnsiEncoding"));
}

#[test]
fn only_drawings_become_pages() {
    let inside = |part: &str| pdf(&drawing(Style::SCREEN).replace("</svg>", &format!("{part}</svg>")));
    assert!(inside("").is_ok());
    let messages = [
        pdf("no drawing"),
        inside("<ellipse rx=\"1\"/>"),
        inside("<path d=\"M0 0A1 1 0 0 0 2 2\"/>"),
        inside("<rect fill=\"red\"/>"),
    ];
    let messages = messages.map(|result| result.expect_err("not a drawing").to_string()).join("\n");
    insta::assert_snapshot!(messages, @r"
    the drawing is not valid SVG: it does not begin with <svg
    the drawing has the element <ellipse>, which cannot be written as PDF
    the drawing has the path command A[1.0, 1.0, 0.0, 0.0, 0.0, 2.0, 2.0], which cannot be written as PDF
    the drawing has the colour red, which cannot be written as PDF
    ");
}

/// Pages align the lower edges of drawings that are side by side, and rely on this to align the plots.
#[test]
fn plots_of_one_row_have_the_same_height_above_the_lower_edge() {
    let plain = Figure { marks: vec![], room: setpoint_plot::Room::Half, ..figure() };
    let events = setpoint_plot::merged([(0.2, "a flow starts".into())]);
    let full = Figure { events, room: setpoint_plot::Room::Half, ..figure() };
    let extent = |figure: &Figure| {
        let svg = figure.svg(Size::Wide, Surface::Page);
        let numbers = |name| -> Vec<f64> {
            attribute(&svg, name).split(' ').map(|number| number.parse().expect("a number")).collect()
        };
        let (plot, view) = (numbers("data-plot"), numbers("viewBox"));
        ((view[3] - plot[1]).round(), (view[3] - plot[3]).round(), view[3])
    };
    let (plain, full) = (extent(&plain), extent(&full));
    assert_eq!((plain.0, plain.1), (full.0, full.1));
    assert!(plain.2 < full.2, "the legend takes room above the plot");
}
