//! The clock of the browser.

use std::time::Duration;

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Milliseconds since the worker began.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn milliseconds() -> f64;
}

/// The time since the worker began.
pub(crate) fn now() -> Duration {
    Duration::from_secs_f64(milliseconds().max(0.0) / 1e3)
}
