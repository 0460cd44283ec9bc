//! Files of stored results and of finished runs.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path as Segments, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::answer::Refusal;
use crate::runs::Runs;

/// Maximum length of a file. Larger files are refused and must be opened with other programs.
const LONGEST: u64 = 200_000_000;

/// `GET /results/…`: a file of the output folder.
pub(crate) async fn stored(
    State(results): State<Arc<Path>>,
    Segments(path): Segments<String>,
) -> Result<Response, Refusal> {
    let path = inside(&results, &path).ok_or_else(absent)?;
    send(path, None).await
}

/// `GET /api/runs/ID/FILE`: a file of a finished run.
pub(crate) async fn of_run(
    State(runs): State<Arc<Runs>>,
    Segments((id, name)): Segments<(u64, String)>,
) -> Result<Response, Refusal> {
    let path = runs.file(id, &name).ok_or_else(absent)?;
    let download = (!name.ends_with(".html")).then_some(name);
    send(path, download).await
}

fn absent() -> Refusal {
    Refusal::not_found("there is no such file; results of runs on this page are kept only for a while")
}

/// A file inside a folder. No path leads out of it, neither through `..` nor through a link.
fn inside(folder: &Path, path: &str) -> Option<PathBuf> {
    let plain = |part: Component<'_>| match part {
        Component::Normal(name) => {
            name.to_str().is_some_and(|name| !name.starts_with('.') && !name.contains('\\'))
        }
        _ => false,
    };
    if path.is_empty() || !Path::new(path).components().all(plain) {
        return None;
    }
    let folder = folder.canonicalize().ok()?;
    let file = folder.join(path).canonicalize().ok()?;
    (file.starts_with(&folder) && file.is_file()).then_some(file)
}

async fn send(path: PathBuf, download: Option<String>) -> Result<Response, Refusal> {
    let length = path.metadata().map(|found| found.len()).unwrap_or(0);
    if length > LONGEST {
        return Err(Refusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("{} has {length} bytes; open it with another program", path.display()),
        ));
    }
    let kind = kind(&path);
    let read = tokio::task::spawn_blocking(move || std::fs::read(&path)).await;
    let octets = read.ok().and_then(Result::ok).ok_or_else(absent)?;
    let mut response = ([(CONTENT_TYPE, kind)], Body::from(octets)).into_response();
    if let Some(name) = download
        && let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""))
    {
        response.headers_mut().insert(CONTENT_DISPOSITION, value);
    }
    Ok(response)
}

fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("pdf") => "application/pdf",
        Some("json" | "jsonl") => "application/json",
        Some("csv") => "text/csv; charset=utf-8",
        Some("toml" | "txt" | "md") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn no_path_leads_out_of_the_folder() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("results");
        std::fs::create_dir_all(folder.join("run")).unwrap();
        std::fs::write(folder.join("run/report.html"), "report").unwrap();
        std::fs::write(folder.join("run/.hidden"), "hidden").unwrap();
        std::fs::write(place.path().join("secret"), "secret").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(place.path().join("secret"), folder.join("run/link")).unwrap();
        assert!(inside(&folder, "run/report.html").is_some());
        for path in [
            "",
            ".",
            "..",
            "../secret",
            "run/../../secret",
            "/etc/passwd",
            "run/.hidden",
            "run/link",
            "run",
            "run/none",
        ] {
            assert_eq!(inside(&folder, path), None, "{path}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_asked_for_stays_inside(path in "[a-z./\\\\%]{0,20}") {
            let place = tempfile::tempdir().unwrap();
            std::fs::write(place.path().join("a"), "").unwrap();
            if let Some(found) = inside(place.path(), &path) {
                prop_assert!(found.starts_with(place.path().canonicalize().unwrap()));
            }
        }
    }
}
