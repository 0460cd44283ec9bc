//! `--png`, in builds with the feature and without.

#[cfg(feature = "png")]
use crate::support::names;
use crate::support::{Place, SHORT};

fn run<'a>(rest: &[&'a str]) -> Vec<&'a str> {
    [&["run", "--quiet", "--out", "here"], &SHORT[..], rest].concat()
}

#[cfg(feature = "png")]
#[test]
fn png_of_every_plot() {
    let signature = b"\x89PNG\r\n\x1a\n";
    let is_picture = |path| std::fs::read(path).unwrap().starts_with(signature);
    let place = Place::new();
    place.setpoint(&run(&["--png", "--svg"])).printed();
    let folder = place.path("here/plots");
    let (pictures, drawings): (Vec<String>, Vec<String>) =
        names(&folder).into_iter().partition(|name| name.ends_with(".png"));
    let of = |picture: &String| picture.replace(".png", ".svg");
    assert!(pictures.len() > 2, "{pictures:?}");
    assert_eq!(pictures.iter().map(of).collect::<Vec<_>>(), drawings);
    assert!(pictures.iter().all(|name| is_picture(folder.join(name))));

    // Later too, and a later run without pictures leaves none behind.
    place.setpoint(&run(&[])).printed();
    assert!(!folder.exists());
    let ended = place.setpoint(&["report", "here", "--png"]);
    assert!(ended.printed().contains("here/plots"), "{}", ended.stdout);
    assert_eq!(names(&folder), pictures);
    assert!(place.setpoint(&["run", "--help"]).printed().contains("--png"));
}

#[cfg(not(feature = "png"))]
#[test]
fn a_build_without_png_says_so() {
    let place = Place::new();
    let ended = place.setpoint(&run(&["--png"]));
    insta::assert_snapshot!(ended.complained(2));
    assert!(!place.path("here").exists(), "it ran before it complained");
    assert_eq!(place.setpoint(&["report", "here", "--png"]).complained(2), ended.stderr);
    for command in ["run", "report"] {
        assert!(!place.setpoint(&[command, "--help"]).printed().contains("--png"));
    }
}
