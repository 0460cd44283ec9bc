//! The page: its scripts, styles and schema, which are part of the program.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Response};
use axum::{Extension, Json};
use serde_json::Value;

use crate::answer::Refusal;
use crate::guard::{OwnPage, new_token};

macro_rules! assets {
    ($($path:literal),* $(,)?) => {
        /// The files by their paths.
        const ASSETS: &[(&str, &str)] = &[$(($path, include_str!(concat!("../assets/", $path)))),*];
    };
}

include!("../assets/list.rs");

/// The address of the page for links that are sent to others; `None` if only this machine can open the page.
#[derive(Clone, Debug)]
pub(crate) struct SharedAddress(pub(crate) Option<Arc<str>>);

/// The page itself.
pub(crate) const INDEX: &str = include_str!("../assets/index.html");

/// The files of the page, with their paths below `assets/`.
pub(crate) fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    ASSETS.iter().copied().chain([("themes.css", setpoint_plot::THEMES)])
}

/// `GET /`: the page, with a nonce for the styles that CodeMirror adds.
pub(crate) async fn index(State(shared): State<SharedAddress>) -> Result<impl IntoResponse, Refusal> {
    let nonce =
        new_token().map_err(|error| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    let address = shared.0.as_deref().unwrap_or_default();
    let page = INDEX.replace("{style-nonce}", &nonce).replace("{address}", address).replace("{site}", "");
    Ok((Extension(OwnPage { style_nonce: Some(nonce) }), Html(page)))
}

/// `GET /assets/…`: a file of the page.
pub(crate) async fn asset(Path(path): Path<String>) -> Result<Response, Refusal> {
    let content = all().find(|(name, _)| *name == path).map(|(_, content)| content).ok_or_else(absent)?;
    let kind = match path.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    };
    // The files change only with the program, but a browser cannot detect when.
    let headers = [(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")];
    Ok((Extension(OwnPage::default()), headers, content).into_response())
}

fn absent() -> Refusal {
    Refusal::not_found("the page has no such file")
}

/// `GET /api/schema`: the schema of scenarios, for the completion of keys.
pub(crate) async fn schema() -> Json<Value> {
    Json(setpoint_scenario::schema())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    fn files(folder: &Path, inside: &str, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{inside}{}", path.file_name().unwrap().to_str().unwrap());
            if path.is_dir() {
                files(&path, &format!("{name}/"), found);
            } else {
                found.insert(name);
            }
        }
    }

    #[test]
    fn every_file_of_the_page_is_listed() {
        let mut found = BTreeSet::new();
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets"), "", &mut found);
        let unlisted =
            ["index.html", "list.rs", "vendor/codemirror.LICENSE", "vendor/uPlot.LICENSE"].map(str::to_owned);
        let listed: BTreeSet<String> =
            ASSETS.iter().map(|(name, _)| (*name).to_owned()).chain(unlisted.clone()).collect();
        assert_eq!(found, listed);
        // A file that is listed twice would prevent the site from working without a network.
        assert_eq!(ASSETS.len() + unlisted.len(), listed.len());
    }

    /// The page may load only its own files.
    #[test]
    fn nothing_comes_from_elsewhere() {
        for (name, content) in
            ASSETS.iter().filter(|(name, _)| !name.starts_with("vendor/")).chain([&("index.html", INDEX)])
        {
            let foreign = content.match_indices("http").filter(|(at, _)| {
                let rest = &content[*at..];
                rest.starts_with("http://") && !rest.starts_with("http://www.w3.org/")
                    || rest.starts_with("https://")
            });
            assert_eq!(foreign.count(), 0, "{name}");
        }
    }
}
