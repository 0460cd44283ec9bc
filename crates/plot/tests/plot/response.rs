//! Bode and Nyquist plots.

use roxmltree::Document;
use setpoint_plot::{Figure, Plane, Response, Size, Style, Surface, bode, nyquist};

/// An integrator with a delay of 20 us. It is stable for gains below π/2.
fn delayed(gain: f64) -> Vec<(f64, f64, f64)> {
    let (delay, gain) = (20e-6, gain / 20e-6);
    let point = |index: i32| {
        let frequency = 10f64.powf(2.0 + f64::from(index) / 50.0);
        let angle = frequency * delay;
        (frequency, -gain / frequency * angle.sin(), -gain / frequency * angle.cos())
    };
    (0..200).map(point).collect()
}

fn all(points: &[(f64, f64, f64)]) -> Vec<Figure> {
    let responses = [Response { name: "open loop", points }];
    let [gain, phase] = bode("loop", &responses);
    vec![gain, phase, nyquist("loop", &responses)]
}

fn texts(svg: &str) -> String {
    let document = Document::parse(svg).expect("well-formed");
    let texts =
        document.descendants().filter(|node| node.tag_name().name() == "text").filter_map(|node| node.text());
    texts.map(|text| text.replace('\u{a0}', " ")).collect::<Vec<_>>().join(" | ")
}

#[test]
fn gain_and_phase_have_units_and_margins() {
    let figures = all(&delayed(1.0));
    insta::assert_snapshot!(texts(&figures[0].svg(Size::Wide, Surface::Page)), @"−40 | −20 | 0 | 20 | 40 | 60 | 100 rad/s | 1 krad/s | 10 krad/s | 100 krad/s | Angular frequency | Gain (dB) | gain 1 | crossover 50 krad/s");
    insta::assert_snapshot!(texts(&figures[1].svg(Size::Wide, Surface::Page)), @"−360 | −270 | −180 | −90 | 0 | 100 rad/s | 1 krad/s | 10 krad/s | 100 krad/s | Angular frequency | Phase (°) | −180° | phase margin 32.7°");
    insta::assert_snapshot!(texts(&figures[2].svg(Size::Wide, Surface::Page)), @"−1 | 0 | 1 | −1.5 | −1 | −0.5 | 0 | 0.5 | 1 | 1.5 | Real part | Imaginary part | unit circle | open loop | −1");
}

#[test]
fn plots_have_text_alternatives() {
    let words = |gain: f64| {
        let words: Vec<String> = all(&delayed(gain)).into_iter().map(|figure| figure.alternative).collect();
        words.join("\n").replace('\u{a0}', " ")
    };
    insta::assert_snapshot!(words(1.0), @r"
    The gain of the open loop goes from 54 dB at 100 rad/s to −25.6 dB at 955 krad/s. It falls to one at 50 krad/s.
    The phase of the open loop begins at −90.1°; at unity gain it is −147°, a margin of 32.7°.
    The locus of the open loop crosses the negative real axis at −0.636, to the right of −1, at 78.6 krad/s.
    ");
    insta::assert_snapshot!(words(2.0), @r"
    The gain of the open loop goes from 60 dB at 100 rad/s to −19.6 dB at 955 krad/s. It falls to one at 100 krad/s.
    The phase of the open loop begins at −90.1°; at unity gain it is −205°, a margin of −24.6°.
    The locus of the open loop crosses the negative real axis at −1.27, to the left of −1, at 78.6 krad/s.
    ");
}

#[test]
fn a_nyquist_plot_shows_the_surroundings_of_the_critical_point() {
    for (gain, least, most) in [(1.0, -1.8, -1.6), (4.0, -3.5, -3.2), (100.0, -8.0, -8.0)] {
        let figure = nyquist("loop", &[Response { name: "open loop", points: &delayed(gain) }]);
        assert_eq!(figure.plane, Plane::Complex);
        let ((left, right), (low, high)) = (figure.x.range, figure.y.range);
        assert!((least..=most).contains(&left) && right > 1.0, "gain {gain}: {left} to {right}");
        assert!((right - left - (high - low)).abs() < 1e-9 && low < -1.0 && high > 1.0);
        assert!(figure.svg(Size::Wide, Surface::File(Style::SCREEN)).len() < 30_000);
    }
}

#[test]
fn responses_without_values_are_still_drawn() {
    let odd = [(f64::NAN, 1.0, 1.0), (1.0, f64::INFINITY, 1.0), (-1.0, 1.0, 1.0), (0.0, 0.0, 0.0)];
    for points in [&[][..], &odd, &[(1.0, -0.5, 0.0)], &[(1.0, 1e300, -1e300), (2.0, 1e-300, 0.0)]] {
        for figure in all(points) {
            for size in [Size::Wide, Size::Narrow] {
                let svg = figure.svg(size, Surface::File(Style::SCREEN));
                Document::parse(&svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
                assert!(!svg.contains("NaN") && !svg.contains("inf "), "{svg}");
            }
            assert!(!figure.alternative.is_empty());
        }
    }
}
