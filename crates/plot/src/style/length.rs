//! Lengths on paper, and sizes written as `88mm x 60mm`.

use std::str::FromStr;

use super::Extent;

/// A length on paper.
#[derive(Clone, Copy, Debug)]
pub struct Length {
    value: f64,
    unit: Unit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unit {
    symbol: &'static str,
    millimetres: Ratio,
}

/// An exact ratio, so that units compare exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ratio(u32, u32);

const UNITS: [Unit; 5] = [
    Unit { symbol: "mm", millimetres: Ratio(1, 1) },
    Unit { symbol: "cm", millimetres: Ratio(10, 1) },
    Unit { symbol: "in", millimetres: Ratio(254, 10) },
    Unit { symbol: "pt", millimetres: Ratio(254, 720) },
    Unit { symbol: "px", millimetres: Ratio(254, 960) },
];

/// Widths in common two-column layouts: one column and the full width, as in IEEE journals.
const NAMED: [(&str, Length); 2] = [("column", inches(3.5)), ("page", inches(7.16))];

/// The smallest and the largest side of a figure, in millimetres.
const SIDES: (f64, f64) = (10.0, 2000.0);
/// The smallest and the largest font size, in points.
const FONTS: (f64, f64) = (2.0, 100.0);

/// The reason why a length or a size is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LengthError(String);

impl Length {
    /// The length in millimetres.
    pub fn millimetres(self) -> f64 {
        let Ratio(numerator, denominator) = self.unit.millimetres;
        self.value * f64::from(numerator) / f64::from(denominator)
    }

    /// The length in points of 1/72 inch.
    pub fn points(self) -> f64 {
        self.millimetres() * 72.0 / 25.4
    }

    /// Reads a font size.
    ///
    /// # Errors
    /// If the text is not a length, or if the length is not a readable font size.
    pub fn font(text: &str) -> Result<Self, LengthError> {
        let length: Self = text.parse()?;
        let (low, high) = FONTS;
        if (low..=high).contains(&length.points()) {
            return Ok(length);
        }
        Err(LengthError(format!("the font size is {length}, but must be from {low}pt to {high}pt")))
    }
}

const fn inches(value: f64) -> Length {
    Length { value, unit: UNITS[2] }
}

impl PartialEq for Length {
    fn eq(&self, other: &Self) -> bool {
        self.millimetres() == other.millimetres()
    }
}

impl std::fmt::Display for Length {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.value, self.unit.symbol)
    }
}

impl FromStr for Length {
    type Err = LengthError;

    fn from_str(text: &str) -> Result<Self, LengthError> {
        let text = text.trim();
        let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
        let (number, symbol) = (&text[..end], text[end..].trim());
        let unit = UNITS.into_iter().find(|unit| unit.symbol == symbol);
        match (number.parse(), unit) {
            (Ok(value), Some(unit)) => Ok(Self { value, unit }),
            (Ok(_), None) if symbol.is_empty() => Err(LengthError(format!(
                "`{text}` has no unit; write {text}mm, {text}in, {text}pt or {text}px"
            ))),
            _ => Err(LengthError(format!(
                "`{text}` is not a length such as 88mm, 8.8cm, 3.5in, 250pt or 340px"
            ))),
        }
    }
}

impl std::fmt::Display for Extent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.height {
            Some(height) => write!(f, "{} x {height}", self.width),
            None => write!(f, "{}", self.width),
        }
    }
}

impl FromStr for Extent {
    type Err = LengthError;

    fn from_str(text: &str) -> Result<Self, LengthError> {
        let sides = text.replace(['×', 'x'], " x ");
        // The unit px also contains an x.
        let sides = sides.replace("p x ", "px ");
        match sides.split(" x ").map(str::trim).collect::<Vec<_>>()[..] {
            [width] => Ok(Self { width: side("width", width)?, height: None }),
            [width, height] => {
                Ok(Self { width: side("width", width)?, height: Some(side("height", height)?) })
            }
            _ => Err(LengthError(format!("`{text}` is not a size such as 88mm, 88mm x 60mm or column"))),
        }
    }
}

/// A side of a figure: a length or the name of a width.
fn side(name: &str, text: &str) -> Result<Length, LengthError> {
    if let Some((_, length)) = NAMED.into_iter().find(|(known, _)| *known == text) {
        return Ok(length);
    }
    if text.starts_with(|c: char| c.is_alphabetic()) {
        let known = NAMED.map(|(known, length)| format!("`{known}` ({length})")).join(" or ");
        return Err(LengthError(format!("`{text}` is not a length such as 88mm; named widths are {known}")));
    }
    let length: Length = text.parse()?;
    let (low, high) = SIDES;
    if (low..=high).contains(&length.millimetres()) {
        return Ok(length);
    }
    Err(LengthError(format!("the {name} is {length}, but must be from {low}mm to {high}mm")))
}

impl std::fmt::Display for LengthError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LengthError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Paper;

    #[test]
    fn sizes_are_read_with_their_units() {
        let millimetres = |text: &str| {
            let extent: Extent = text.parse().expect(text);
            (extent.width.millimetres(), extent.height.map(|height| height.millimetres().round()))
        };
        assert_eq!(millimetres("88mm x 60mm"), (88.0, Some(60.0)));
        assert_eq!(millimetres("8.8cmx6cm"), (88.0, Some(60.0)));
        assert_eq!(millimetres("340px x 240px"), millimetres("340 px × 240px"));
        assert_eq!(millimetres("column x 2in"), (88.9, Some(51.0)));
        assert_eq!(millimetres("72pt"), (25.4, None));
    }

    #[test]
    fn errors_name_the_value_and_a_remedy() {
        let of = |text: &str| text.parse::<Extent>().expect_err(text).to_string();
        let sized = |extent: &str, font: &str| {
            let extent = extent.parse().expect("an extent");
            Paper::new(extent, Length::font(font).expect("a font size")).expect_err(font).to_string()
        };
        let messages = [
            of("88"),
            of("0mm"),
            of("1e9mm"),
            of("88mm x 1000000mm"),
            of("colum"),
            of("88mm x 60mm x 1mm"),
            of(""),
            Length::font("0pt").expect_err("zero").to_string(),
            Length::font("12").expect_err("no unit").to_string(),
            sized("88mm", "40pt"),
            sized("88mm x 20mm", "8pt"),
        ];
        insta::assert_snapshot!(messages.join("\n"), @r"
        `88` has no unit; write 88mm, 88in, 88pt or 88px
        the width is 0mm, but must be from 10mm to 2000mm
        `1e9mm` is not a length such as 88mm, 8.8cm, 3.5in, 250pt or 340px
        the height is 1000000mm, but must be from 10mm to 2000mm
        `colum` is not a length such as 88mm; named widths are `column` (3.5in) or `page` (7.16in)
        `88mm x 60mm x 1mm` is not a size such as 88mm, 88mm x 60mm or column
        `` is not a length such as 88mm, 8.8cm, 3.5in, 250pt or 340px
        the font size is 0pt, but must be from 2pt to 100pt
        `12` has no unit; write 12mm, 12in, 12pt or 12px
        a font size of 40pt is too large for a width of 88mm, which must be at least 16 times as large: use at most 15.5pt, or a larger figure
        a font size of 8pt is too large for a height of 20mm, which must be at least 11 times as large: use at most 5.1pt, or a larger figure
        ");
    }
}
