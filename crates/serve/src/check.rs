//! `POST /api/check`: problems in a scenario while it is typed, its parameters, and how long it will take.

use std::time::Instant;

use axum::Json;
use axum::extract::State;
use serde_json::Value;
use setpoint_page::scenario::Scenario;

use crate::answer::Refusal;
use crate::desk::Desk;
use crate::limits::Limits;

pub(crate) async fn check(
    State(limits): State<Limits>,
    State(desk): State<Desk>,
    Json(scenario): Json<Scenario>,
) -> Result<Json<Value>, Refusal> {
    let checked = desk.work(move || {
        let began = Instant::now();
        setpoint_page::check::check(&scenario, &limits.page(), &|| began.elapsed())
    });
    checked.await?.map(Json).map_err(Refusal::from)
}
