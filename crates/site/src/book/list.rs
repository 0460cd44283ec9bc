//! The chapters of the book, in reading order, and the other files of the repository to which they link.

/// Chapters under one heading.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// The heading.
    pub(super) title: &'static str,
    /// The chapters.
    pub(super) chapters: &'static [File],
}

/// A Markdown file of the repository.
#[derive(Clone, Copy, Debug)]
pub(super) struct File {
    /// The path in the repository.
    pub(super) path: &'static str,
    /// The content.
    pub(super) text: &'static str,
}

/// An image that chapters show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Image {
    /// The path in the repository.
    pub(crate) path: &'static str,
    /// The content: a PNG file.
    pub(crate) content: &'static [u8],
}

macro_rules! parts {
    ($($title:literal: [$($path:literal),* $(,)?]),* $(,)?) => {
        &[$(Part {
            title: $title,
            chapters: &[$(File {
                path: $path,
                text: include_str!(concat!("../../../../", $path)),
            }),*],
        }),*]
    };
}

macro_rules! images {
    ($($path:literal),* $(,)?) => {
        &[$(Image { path: $path, content: include_bytes!(concat!("../../../../", $path)) }),*]
    };
}

/// The book.
pub(super) const PARTS: &[Part] = parts! {
    "Start": ["README.md", "docs/tutorial.md", "docs/serve.md", "docs/lectures.md", "docs/glossary.md"],
    "Scenarios and results": [
        "docs/scenario.md",
        "docs/checks.md",
        "docs/failures.md",
        "docs/results.md",
        "docs/tables.md",
        "docs/captures.md",
    ],
    "Studies": ["docs/port.md", "docs/tuning.md", "docs/league.md", "docs/clusters.md", "docs/python.md"],
    "Algorithms": [
        "docs/algorithms/qcn.md",
        "docs/algorithms/af-qcn.md",
        "docs/algorithms/afd.md",
        "docs/algorithms/fqcn.md",
        "docs/algorithms/smcc.md",
        "docs/algorithms/bcn.md",
        "docs/algorithms/aimd.md",
        "docs/algorithms/dcqcn.md",
        "docs/algorithms/timely.md",
        "docs/algorithms/hpcc.md",
        "docs/algorithms/powertcp.md",
        "docs/algorithms/swift.md",
        "docs/algorithms/none.md",
        "docs/algorithms/occupancy.md",
        "docs/algorithms/multicast.md",
    ],
    "Theory": [
        "docs/theory.md",
        "docs/algorithms/fluid-models.md",
        "docs/algorithms/phase-planes.md",
        "docs/flow-control.md",
    ],
    "Papers": ["docs/papers.md", "docs/verdicts.md", "docs/conext16-margins.md"],
    "Hardware": ["docs/vectors.md", "docs/live.md", "docs/nic.md"],
    "Evidence": ["docs/trust.md", "docs/speed.md"],
    "Development": [
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "docs/site.md",
        "crates/control/README.md",
        "crates/plot/README.md",
        "CHANGELOG.md",
    ],
};

/// The images.
pub(crate) const IMAGES: &[Image] = images! {
    "docs/images/report.png",
    "docs/images/serve-bench.png",
    "docs/images/serve-compare.png",
    "docs/images/serve-fabric.png",
};

/// Files and folders of the repository that have no page. A link to one of them becomes text.
pub(super) const WITHOUT_PAGE: &[&str] = &[
    "CITATION.cff",
    "python/notebooks",
    "python/notebooks/af-qcn-figure-9.ipynb",
    "python/notebooks/first-steps.ipynb",
    "python/notebooks/slowdown-by-size.ipynb",
    "python/notebooks/tuning-and-stability.ipynb",
    "python/notebooks/your-own-controller.ipynb",
];

/// The address of a chapter's page, relative to the folder of the site.
pub(super) fn address(path: &str) -> String {
    if path == "README.md" {
        return "index.html".to_owned();
    }
    let below = path.strip_prefix("docs/").unwrap_or(path);
    format!("book/{}.html", below.trim_end_matches(".md").to_lowercase())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    fn markdown_in(folder: &str) -> Vec<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
        let names =
            fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(".md")).map(|name| format!("{folder}/{name}")).collect()
    }

    #[test]
    fn every_document_is_a_chapter() {
        let chapters: Vec<&str> = PARTS.iter().flat_map(|part| part.chapters).map(|file| file.path).collect();
        let documents = ["docs", "docs/algorithms"].iter().flat_map(|folder| markdown_in(folder));
        let missing: Vec<String> = documents.filter(|path| !chapters.contains(&path.as_str())).collect();
        assert!(missing.is_empty(), "add {missing:?} to the book");
        let addresses: BTreeSet<String> = chapters.iter().map(|path| address(path)).collect();
        assert_eq!(addresses.len(), chapters.len(), "two chapters have the same address");
    }

    #[test]
    fn files_without_a_page_exist() {
        for path in WITHOUT_PAGE {
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path).exists(), "{path}");
        }
    }
}
