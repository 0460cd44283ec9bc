//! How series differ in greyscale, apart from their shades: lines by dashes, and dots by symbols.

use super::{Colour, Surface, Symbol};

/// The attribute with the dashes of a series; empty in colour.
pub(super) fn dashes(colour: Colour, surface: Surface) -> &'static str {
    const DASHES: [&str; 6] = [
        "",
        " stroke-dasharray=\"7 2.5 1.5 2.5\"",
        " stroke-dasharray=\"1.5 2.5\"",
        " stroke-dasharray=\"9 3\"",
        " stroke-dasharray=\"6 2 1.5 2 1.5 2\"",
        " stroke-dasharray=\"3.5 2.5\"",
    ];
    match series(colour, surface) {
        Some(index) => DASHES[index % DASHES.len()],
        None => "",
    }
}

/// The symbol of a series; `None` in colour.
pub(super) fn dot(colour: Colour, surface: Surface) -> Option<Symbol> {
    const SYMBOLS: [Symbol; 5] =
        [Symbol::Disc, Symbol::Square, Symbol::Triangle, Symbol::Ring, Symbol::Cross];
    series(colour, surface).map(|index| SYMBOLS[index % SYMBOLS.len()])
}

/// Colour and further attributes of the bars of a series: in greyscale they have an edge, so that they may be light.
pub(super) fn bar(colour: Colour, surface: Surface) -> (Colour, &'static str) {
    match series(colour, surface) {
        Some(index) => (Colour::Bar(index), " stroke=\"#101010\" stroke-width=\"0.8\""),
        None => (colour, ""),
    }
}

fn series(colour: Colour, surface: Surface) -> Option<usize> {
    match colour {
        Colour::Series(index) if surface.is_grey() => Some(index),
        _ => None,
    }
}
