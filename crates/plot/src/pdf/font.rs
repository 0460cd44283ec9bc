//! The standard fonts of PDF: the character that each byte encodes, and its width.
//!
//! Widths are those of Adobe's metrics for the fonts, in thousandths of an em.

/// A font of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Face {
    name: &'static str,
    encoding: &'static str,
}

/// The fonts, in the order of their names on the page: regular, bold, symbols.
pub(super) const FACES: [Face; 3] = [
    Face { name: "Helvetica", encoding: " /Encoding /WinAnsiEncoding" },
    Face { name: "Helvetica-Bold", encoding: " /Encoding /WinAnsiEncoding" },
    Face { name: "Symbol", encoding: "" },
];
/// Index of the font for symbols.
const SYMBOL: usize = 2;

/// A character of a font: the index of the font, the byte and the width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Glyph {
    pub(super) face: usize,
    pub(super) byte: u8,
    pub(super) width: u16,
}

impl Face {
    pub(super) fn object(self) -> String {
        let Self { name, encoding } = self;
        format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name}{encoding} >>")
    }
}

/// The glyphs for the given text. A character that is in none of the fonts becomes a question mark.
pub(super) fn glyphs(text: &str, is_bold: bool) -> Vec<Glyph> {
    text.chars().flat_map(|c| spelt(c).chars().collect::<Vec<_>>()).map(|c| glyph(c, is_bold)).collect()
}

/// The replacement for a character: subscripts and superscripts are written on the baseline, and narrow spaces as
/// spaces.
fn spelt(c: char) -> String {
    const LOWERED: &str = "₀₁₂₃₄₅₆₇₈₉";
    const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let digit = |digits: &str| digits.chars().position(|digit| digit == c).map(|digit| digit.to_string());
    match c {
        '\u{202f}' | '\u{2009}' => " ".into(),
        'ᵢ' => "i".into(),
        'ⱼ' => "j".into(),
        'ₖ' => "k".into(),
        '₊' => "+".into(),
        '⁻' => "^−".into(),
        '⁺' => "^+".into(),
        '¹' | '²' | '³' => c.into(),
        _ => digit(LOWERED).or_else(|| digit(RAISED)).unwrap_or_else(|| c.into()),
    }
}

fn glyph(c: char, is_bold: bool) -> Glyph {
    let face = usize::from(is_bold);
    if let Some((_, byte, width)) = SYMBOLS.into_iter().find(|(symbol, ..)| *symbol == c) {
        return Glyph { face: SYMBOL, byte, width };
    }
    let byte = match c {
        ' '..='~' | '\u{a0}'..='ÿ' => u8::try_from(u32::from(c)).ok(),
        _ => WINDOWS.into_iter().find(|(known, _)| *known == c).map(|(_, byte)| byte),
    };
    let byte = byte.unwrap_or(b'?');
    Glyph { face, byte, width: WIDTHS[face][usize::from(byte) - 32] }
}

/// Text as a UTF-16 string, for the document information.
pub(super) fn unicode(text: &str) -> Vec<u8> {
    let digits: String = text.encode_utf16().map(|unit| format!("{unit:04X}")).collect();
    format!("<FEFF{digits}>").into_bytes()
}

/// Characters in WinAnsiEncoding outside Latin-1.
#[rustfmt::skip]
const WINDOWS: [(char, u8); 10] = [
    ('€', 0x80), ('…', 0x85), ('‘', 0x91), ('’', 0x92), ('“', 0x93),
    ('”', 0x94), ('•', 0x95), ('–', 0x96), ('—', 0x97), ('™', 0x99),
];

/// Characters in the font Symbol, with their bytes and widths.
#[rustfmt::skip]
const SYMBOLS: [(char, u8, u16); 57] = [
    ('−', 0x2d, 549), ('≤', 0xa3, 549), ('≥', 0xb3, 549), ('≠', 0xb9, 549), ('≈', 0xbb, 549),
    ('≡', 0xba, 549), ('∝', 0xb5, 713), ('∞', 0xa5, 713), ('√', 0xd6, 549), ('∂', 0xb6, 494),
    ('∑', 0xe5, 713), ('∏', 0xd5, 823), ('∫', 0xf2, 274), ('∈', 0xce, 713), ('′', 0xa2, 247),
    ('←', 0xac, 987), ('↑', 0xad, 603), ('→', 0xae, 987), ('↓', 0xaf, 603), ('↔', 0xab, 1042),
    ('⇐', 0xdc, 987), ('⇒', 0xde, 987), ('⇔', 0xdb, 1042), ('Γ', 0x47, 603), ('Δ', 0x44, 612),
    ('Θ', 0x51, 741), ('Λ', 0x4c, 686), ('Ξ', 0x58, 645), ('Π', 0x50, 768), ('Σ', 0x53, 592),
    ('Φ', 0x46, 763), ('Ψ', 0x59, 795), ('Ω', 0x57, 768), ('α', 0x61, 631), ('β', 0x62, 549),
    ('γ', 0x67, 411), ('δ', 0x64, 494), ('ε', 0x65, 439), ('ζ', 0x7a, 494), ('η', 0x68, 603),
    ('θ', 0x71, 521), ('ι', 0x69, 329), ('κ', 0x6b, 549), ('λ', 0x6c, 549), ('μ', 0x6d, 576),
    ('ν', 0x6e, 521), ('ξ', 0x78, 493), ('π', 0x70, 549), ('ρ', 0x72, 549), ('σ', 0x73, 603),
    ('τ', 0x74, 439), ('υ', 0x75, 576), ('φ', 0x66, 521), ('χ', 0x63, 549), ('ψ', 0x79, 686),
    ('ω', 0x77, 686), ('⋅', 0xd7, 250),
];

/// Widths of the bytes from 32 to 255 in WinAnsiEncoding, regular and bold.
#[rustfmt::skip]
const WIDTHS: [[u16; 224]; 2] = [
    [
        278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
        556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
        1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
        667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
        333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
        556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, 350,
        556, 350, 222, 556, 333, 1000, 556, 556, 333, 1000, 667, 333, 1000, 350, 611, 350,
        350, 222, 222, 333, 333, 350, 556, 1000, 333, 1000, 500, 333, 944, 350, 500, 667,
        278, 333, 556, 556, 556, 556, 260, 556, 333, 737, 370, 556, 584, 333, 737, 333,
        400, 584, 333, 333, 333, 556, 537, 278, 333, 333, 365, 556, 834, 834, 834, 611,
        667, 667, 667, 667, 667, 667, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278,
        722, 722, 778, 778, 778, 778, 778, 584, 778, 722, 722, 722, 722, 667, 667, 611,
        556, 556, 556, 556, 556, 556, 889, 500, 556, 556, 556, 556, 278, 278, 278, 278,
        556, 556, 556, 556, 556, 556, 556, 584, 611, 556, 556, 556, 556, 500, 556, 500,
    ],
    [
        278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278,
        556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611,
        975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
        667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556,
        333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611,
        611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584, 350,
        556, 350, 278, 556, 500, 1000, 556, 556, 333, 1000, 667, 333, 1000, 350, 611, 350,
        350, 278, 278, 500, 500, 350, 556, 1000, 333, 1000, 556, 333, 944, 350, 500, 667,
        278, 333, 556, 556, 556, 556, 280, 556, 333, 737, 370, 556, 584, 333, 737, 333,
        400, 584, 333, 333, 333, 611, 556, 278, 333, 333, 365, 556, 834, 834, 834, 611,
        722, 722, 722, 722, 722, 722, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278,
        722, 722, 778, 778, 778, 778, 778, 584, 778, 722, 722, 722, 722, 667, 667, 611,
        556, 556, 556, 556, 556, 556, 889, 556, 556, 556, 556, 556, 278, 278, 278, 278,
        611, 611, 611, 611, 611, 611, 611, 584, 611, 611, 611, 611, 611, 556, 611, 556,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Widths from Adobe's metrics.
    #[test]
    fn texts_are_as_wide_as_in_the_metrics() {
        let width =
            |text, is_bold| glyphs(text, is_bold).iter().map(|glyph| u32::from(glyph.width)).sum::<u32>();
        assert_eq!(width("Queue (kB)", false), 778 + 4 * 556 + 278 + 333 + 500 + 667 + 333);
        assert_eq!(width("Queue", true), 778 + 611 + 556 + 611 + 556);
        assert_eq!(width("5 µs ±1…", false), 556 + 278 + 556 + 500 + 278 + 584 + 556 + 1000);
    }

    #[test]
    fn symbols_have_a_font_of_their_own() {
        assert_eq!(glyphs("ω", true), [Glyph { face: SYMBOL, byte: 0x77, width: 686 }]);
        assert_eq!(glyphs("10⁻⁶", false).iter().map(|glyph| glyph.byte).collect::<Vec<_>>(), *b"10^-6");
        assert_eq!(glyphs("漢", false), [Glyph { face: 0, byte: b'?', width: 556 }]);
    }
}
