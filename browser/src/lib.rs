//! The engine of the laboratory page in WebAssembly.
//!
//! A worker of the page calls these functions (`crates/serve/assets/engine/worker.js`). Questions and answers are JSON, the same
//! as those of `setpoint serve`. A worker that waits cannot receive messages from the page, so a run is computed in time slices,
//! and the worker receives commands between them.

mod clock;
mod limits;
mod run;

use std::panic;

use serde::de::DeserializeOwned;
use serde_json::json;
use setpoint_page::Refusal;
use setpoint_page::theory::Answer;
use wasm_bindgen::prelude::*;

pub use run::Run;

#[wasm_bindgen]
extern "C" {
    /// Receives the message of a panic, after which the engine cannot continue.
    fn panicked(message: &str);
}

/// Prepares the engine. Called once by the glue.
#[wasm_bindgen(start)]
pub fn start() {
    panic::set_hook(Box::new(|info| panicked(&info.to_string())));
}

/// Problems in a scenario, its parameters, and the time and memory that it needs.
///
/// # Errors
/// As [`setpoint_page::check::check`].
#[wasm_bindgen]
pub fn check(scenario: &str) -> Result<String, JsError> {
    let checked = setpoint_page::check::check(&read(scenario)?, &limits::LIMITS, &clock::now);
    checked.map(|answer| answer.to_string()).map_err(|refusal| refused(&refusal))
}

/// Theory of a scenario: numbers, or an object with the HTML of a page.
///
/// # Errors
/// As [`setpoint_page::theory::answer`].
#[wasm_bindgen]
pub fn theory(question: &str) -> Result<String, JsError> {
    let answer = match setpoint_page::theory::answer(&read(question)?, &limits::LIMITS)
        .map_err(|refusal| refused(&refusal))?
    {
        Answer::Numbers(value) => value,
        Answer::Page(html) => json!({ "html": html }),
    };
    Ok(answer.to_string())
}

/// A question from the page.
fn read<T: DeserializeOwned>(question: &str) -> Result<T, JsError> {
    serde_json::from_str(question).map_err(JsError::from)
}

fn refused(refusal: &Refusal) -> JsError {
    JsError::new(&refusal.message)
}
