//! `--svg`, `--pdf` and the style of plots; `--png` in builds with the feature and without.

use std::path::Path;

use crate::support::{Place, SHORT, names};

fn run<'a>(rest: &[&'a str]) -> Vec<&'a str> {
    [&["run", "--quiet", "--out", "here"], &SHORT[..], rest].concat()
}

/// The drawings in a folder, each of which must be self-contained.
#[track_caller]
fn drawings(folder: &Path) -> Vec<String> {
    let names = names(folder);
    for name in &names {
        let svg = std::fs::read_to_string(folder.join(name)).unwrap();
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{name}: {svg:.80}");
        assert!(!svg.contains("var(--") && !svg.contains("<script"), "{name} needs a page around it");
    }
    names
}

const SWEEP: [&str; 7] =
    ["sweep", "qcn-senders", "--quiet", "--set", "duration=4 ms", "--set", "measure_from=2 ms"];

#[test]
fn a_sweep_writes_its_plots_and_report_writes_them_again() {
    let place = Place::new();
    place.setpoint(&[&SWEEP[..], &["--out", "here", "--svg"]].concat()).printed();
    let plots = drawings(&place.path("here/plots"));
    assert!(plots.iter().any(|name| name == "utilisation_share.svg"), "{plots:?}");
    let page = std::fs::read_to_string(place.path("here/sweep.html")).unwrap();
    // Folded figures are included.
    assert_eq!(plots.len(), page.matches("id=\"figure-").count());
    std::fs::remove_dir_all(place.path("here/plots")).unwrap();
    place.setpoint(&["report", "here", "--svg", "--quiet"]).printed();
    assert_eq!(drawings(&place.path("here/plots")), plots);
    // The sweep resumes, with plots of the same names.
    place.setpoint(&[&SWEEP[..], &["--out", "here", "--svg", "--no-report"]].concat()).printed();
    assert_eq!(drawings(&place.path("here/plots")), plots);
    assert!(!place.path("here/sweep.html").exists());
}

#[test]
fn several_seeds_have_plots() {
    let place = Place::new();
    place.setpoint(&run(&["--seeds", "2", "--svg"])).printed();
    assert!(!drawings(&place.path("here/plots")).is_empty());
}

#[test]
fn theory_has_plots_and_replaces_them() {
    let short = ["--set", "duration=40 ms", "--set", "measure_from=20 ms", "--quiet", "--out", "here"];
    let place = Place::new();
    for command in ["fluid", "stability", "phase"] {
        place.setpoint(&[&[command, "qcn-loop", "--svg"], &short[..]].concat()).printed();
        assert!(!drawings(&place.path("here/plots")).is_empty(), "{command}");
    }
    // A folder with plots is replaced by one without.
    place.setpoint(&[&["fluid", "qcn-loop"], &short[..]].concat()).printed();
    assert!(!place.path("here/plots").exists());
}

#[test]
fn experiments_have_plots_under_their_names() {
    let place = Place::new();
    place.setpoint(&["reproduce", "smcc/fig05", "--quick", "--quiet", "--svg", "--out", "pages"]).printed();
    let plots = drawings(&place.path("pages/smcc/plots"));
    assert!(!plots.is_empty() && plots.iter().all(|name| name.starts_with("fig05-")), "{plots:?}");
}

fn assert_pictures(ending: &str, begins: &[u8]) {
    let option = format!("--{ending}");
    let is_picture = |path| std::fs::read(path).unwrap().starts_with(begins);
    let place = Place::new();
    place.setpoint(&run(&[&option, "--svg"])).printed();
    let folder = place.path("here/plots");
    let (pictures, drawings): (Vec<String>, Vec<String>) =
        names(&folder).into_iter().partition(|name| name.ends_with(ending));
    let of = |picture: &String| picture.replace(ending, "svg");
    assert!(pictures.len() > 2, "{pictures:?}");
    assert_eq!(pictures.iter().map(of).collect::<Vec<_>>(), drawings);
    assert!(pictures.iter().all(|name| is_picture(folder.join(name))));

    // Plots can also be written later, and a later run without plots leaves none behind.
    place.setpoint(&run(&[])).printed();
    assert!(!folder.exists());
    let ended = place.setpoint(&["report", "here", &option]);
    assert!(ended.printed().contains("here/plots"), "{}", ended.stdout);
    assert_eq!(names(&folder), pictures);
    assert!(place.setpoint(&["run", "--help"]).printed().contains(&option));
}

#[cfg(feature = "png")]
#[test]
fn png_of_every_plot() {
    assert_pictures("png", b"\x89PNG\r\n\x1a\n");
}

#[test]
fn pdf_of_every_plot() {
    assert_pictures("pdf", b"%PDF-");
}

/// Checks that every command that writes a page refuses the option before it runs anything.
#[cfg(not(feature = "png"))]
fn assert_refused(option: &str) -> String {
    let place = Place::new();
    let ended = place.setpoint(&run(&[option]));
    let words = ended.complained(2).to_owned();
    assert!(!place.path("here").exists(), "it ran before it reported the error");
    for command in ["report here", "sweep qcn-senders", "fluid", "stability", "phase", "reproduce"] {
        let arguments: Vec<&str> = command.split(' ').chain([option]).collect();
        assert_eq!(place.setpoint(&arguments).complained(2), words, "{command}");
        let help = place.setpoint(&[arguments[0], "--help"]);
        assert!(!help.printed().contains(option) && help.printed().contains("--svg"), "{command}");
    }
    words
}

#[cfg(not(feature = "png"))]
#[test]
fn a_build_without_png_says_so() {
    insta::assert_snapshot!(assert_refused("--png"));
}

const COLUMN: [&str; 4] = ["--figure-size", "88mm x 60mm", "--font-size", "8pt"];

#[test]
fn plots_for_print_have_the_given_size_in_every_command() {
    let theory = ["--set", "duration=40 ms", "--set", "measure_from=20 ms"];
    let commands: [&[&str]; 4] = [
        &run(&[]),
        &["report", "here"],
        &[&SWEEP[..], &["--out", "swept"]].concat(),
        &[&["stability", "qcn-loop", "--out", "theory", "--quiet"], &theory[..]].concat(),
    ];
    let place = Place::new();
    for (command, folder) in commands.into_iter().zip(["here", "here", "swept", "theory"]) {
        place
            .setpoint(&[command, &COLUMN, &["--svg", "--greyscale", "--no-title", "--no-note"]].concat())
            .printed();
        let plots = place.path(folder).join("plots");
        for name in drawings(&plots) {
            let svg = std::fs::read_to_string(plots.join(&name)).unwrap();
            assert!(svg.contains(" width=\"88mm\" height=\"60mm\" "), "{command:?} {name}: {svg:.200}");
            assert!(!svg.contains("#0072b2") && !svg.contains("font-size=\"16\""), "{command:?} {name}");
        }
    }
}

#[test]
fn a_style_is_checked_before_the_run() {
    let place = Place::new();
    let complaint = |rest: &[&str]| place.setpoint(&run(rest)).complained(2).to_owned();
    let messages = [
        complaint(&["--svg", "--figure-size", "0mm"]),
        complaint(&["--svg", "--figure-size", "88"]),
        complaint(&["--svg", "--figure-size", "88mm", "--font-size", "40pt"]),
        complaint(&["--svg", "--font-size", "8pt"]),
        complaint(&["--greyscale"]),
    ];
    assert!(!place.path("here").exists(), "it ran before it reported the error");
    insta::assert_snapshot!(messages.join("\n"));
}
