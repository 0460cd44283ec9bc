//! Figures as PNG and PDF.

use setpoint_plot::{Axis, Figure, Size, Surface};
use setpoint_units::quantity::Unit;

fn drawing() -> String {
    let axes = (Axis::from_zero("time", Unit::Seconds, 1.0), Axis::from_zero("queue", Unit::Bytes, 1e5));
    Figure::new("queue", "Queue", axes.0, axes.1).svg(Size::Wide, Surface::File)
}

#[cfg(feature = "png")]
#[test]
fn a_plot_becomes_a_picture_of_twice_its_size() {
    let picture = setpoint_plot::png(&drawing()).expect("a picture");
    assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(picture[16..20], 2144u32.to_be_bytes());
    assert!(setpoint_plot::png("no drawing").is_err());
}

#[cfg(feature = "pdf")]
#[test]
fn a_plot_becomes_a_page() {
    assert!(setpoint_plot::pdf(&drawing()).expect("a page").starts_with(b"%PDF-"));
    assert!(setpoint_plot::pdf("no drawing").is_err());
}
