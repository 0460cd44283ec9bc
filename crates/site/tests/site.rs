//! The pages of the site as a browser and a file server see them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use setpoint_site::{Extras, Site};

/// Built once, since it runs the scenarios of its figures.
static SITE: LazyLock<Site> = LazyLock::new(|| Site::new(&Extras::default()).unwrap());

/// The pages by address, and the addresses of all files.
fn pages() -> (BTreeMap<&'static str, &'static str>, BTreeSet<&'static str>) {
    let text = |(name, content)| (name, std::str::from_utf8(content).unwrap());
    let pages = SITE.files().filter(|(name, _)| name.ends_with(".html")).map(text).collect();
    (pages, SITE.files().map(|(name, _)| name).collect())
}

/// The values of an attribute.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    page.split(&start).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

/// The path of a file to which a page links.
fn follow(from: &str, to: &str) -> String {
    let mut path: Vec<&str> = from.split('/').collect();
    path.pop();
    for part in to.split('/') {
        match part {
            ".." => assert!(path.pop().is_some(), "{from} links to {to}, outside the site"),
            part => path.push(part),
        }
    }
    path.join("/")
}

#[test]
fn every_link_leads_to_a_file_of_the_site() {
    let (pages, files) = pages();
    assert!(pages.len() > 70, "{}", pages.len());
    for (from, page) in &pages {
        let links = values(page, "href").into_iter().chain(values(page, "src"));
        for link in links.filter(|link| !link.starts_with("https://")) {
            let (path, id) = link.split_once('#').map_or((link, None), |(path, id)| (path, Some(id)));
            let path = if path.is_empty() { (*from).to_owned() } else { follow(from, path) };
            assert!(files.contains(path.as_str()), "{from} links to {link}");
            if let Some(id) = id {
                assert!(values(pages[path.as_str()], "id").contains(&id), "{from} links to {link}");
            }
        }
    }
}

/// The content security policy forbids scripts and styles in the pages themselves.
#[test]
fn pages_contain_no_script_and_no_style() {
    for (name, page) in pages().0 {
        let policy = "default-src 'none'; style-src 'self'; script-src 'self';";
        assert!(page.contains(&format!("\"Content-Security-Policy\" content=\"{policy}")), "{name}");
        assert!(!page.contains("<style") && values(page, "style").is_empty(), "{name}");
        let scripts = page.matches("<script").count();
        let allowed =
            page.matches("<script src=").count() + page.matches("<script type=\"application/json\">").count();
        assert_eq!(scripts, allowed, "{name}");
        let ids = values(page, "id");
        assert_eq!(
            ids.iter().collect::<BTreeSet<_>>().len(),
            ids.len(),
            "{name} has two elements with the same id"
        );
    }
}

#[test]
fn the_search_index_lists_every_section() {
    let (_, index) = SITE.files().find(|(name, _)| *name == "assets/index.js").unwrap();
    let json = std::str::from_utf8(index).unwrap().strip_prefix("globalThis.setpointIndex=").unwrap();
    let sections: Vec<[String; 4]> = serde_json::from_str(json.trim_end().trim_end_matches(';')).unwrap();
    let found = |address: &str| sections.iter().find(|section| section[0] == address).unwrap();
    assert_eq!(found("book/tutorial.html")[1..3], ["The first hour", ""]);
    let verdicts = found("book/papers.html#verdicts");
    assert_eq!(verdicts[1..3], ["Reproduced papers", "Verdicts"]);
    assert!(verdicts[3].contains("lists every claim"), "{}", verdicts[3]);
}
