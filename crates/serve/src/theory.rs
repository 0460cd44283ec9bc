//! Theory of a scenario, where available.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Html;
use serde_json::{Value, json};
use setpoint_page::theory::{Answer, Question, answer};

use crate::answer::Refusal;
use crate::limits::Limits;

/// The maximum number of pages that are kept.
const MOST_PAGES: usize = 40;

/// The most recent pages generated for clients.
#[derive(Debug, Default)]
pub(crate) struct Pages(Mutex<(u64, VecDeque<(u64, String)>)>);

impl Pages {
    fn put(&self, html: String) -> u64 {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.0 += 1;
        let number = pages.0;
        pages.1.push_back((number, html));
        if pages.1.len() > MOST_PAGES {
            pages.1.pop_front();
        }
        number
    }

    fn get(&self, number: u64) -> Option<String> {
        let pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.1.iter().find(|(found, _)| *found == number).map(|(_, html)| html.clone())
    }
}

/// `GET /pages/N`: a page of theory.
pub(crate) async fn page(
    State(pages): State<Arc<Pages>>,
    Path(number): Path<u64>,
) -> Result<Html<String>, Refusal> {
    pages.get(number).map(Html).ok_or_else(|| Refusal::not_found("this page has expired; request it again"))
}

/// `POST /api/theory`: the address of a page, or the curves of the fluid model.
pub(crate) async fn theory(
    State(limits): State<Limits>,
    State(pages): State<Arc<Pages>>,
    Json(question): Json<Question>,
) -> Result<Json<Value>, Refusal> {
    let answered = tokio::task::spawn_blocking(move || answer(&question, &limits.page())).await;
    let failed = |_| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "the computation failed");
    Ok(Json(match answered.map_err(failed)?? {
        Answer::Numbers(value) => value,
        Answer::Page(html) => json!({ "page": format!("/pages/{}", pages.put(html)) }),
    }))
}
