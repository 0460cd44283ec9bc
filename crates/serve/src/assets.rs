//! The page: its scripts, styles and schema, which are part of the program.

use axum::Json;
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Response};
use serde_json::Value;

use crate::answer::Refusal;

macro_rules! assets {
    ($($path:literal),* $(,)?) => {
        /// The files by their paths.
        const ASSETS: &[(&str, &str)] = &[$(($path, include_str!(concat!("../assets/", $path)))),*];
    };
}

include!("../assets/list.rs");

/// `GET /`: the page.
pub(crate) async fn index() -> Html<&'static str> {
    Html(include_str!("../assets/index.html"))
}

/// `GET /assets/…`: a file of the page.
pub(crate) async fn asset(Path(path): Path<String>) -> Result<Response, Refusal> {
    let content = match path.as_str() {
        "themes.css" => setpoint_plot::THEMES,
        path => {
            ASSETS.iter().find(|(name, _)| *name == path).map(|(_, content)| *content).ok_or_else(absent)?
        }
    };
    let kind = match path.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    };
    // The files change with the program only, but nothing tells a browser when.
    Ok(([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")], content).into_response())
}

fn absent() -> Refusal {
    Refusal::not_found("the page has no such file")
}

/// `GET /api/schema`: the schema of scenarios, for the completion of keys.
pub(crate) async fn schema() -> Json<Value> {
    Json(setpoint_lab::scenario::schema())
}
