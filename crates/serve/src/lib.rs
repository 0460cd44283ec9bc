//! `setpoint serve`: the laboratory in a browser.
//!
//! One program serves one page to the browsers on this machine. [`Server`] answers HTTP requests on one thread;
//! simulations run on separate threads (`runs`) and send their samples to the page while they run. A run belongs to the
//! connection that started it, and ends with it. The answers themselves come from `setpoint-page`; this crate adds connections,
//! threads and files.
//!
//! * `door`: connections, their number, and the time that a request may take to arrive;
//! * `desk`: work that would block the server's thread;
//! * `guard`: admission of requests, and restrictions on how browsers may use the responses;
//! * `gallery`: built-in scenarios, experiments of the papers, and results in the output folder;
//! * `lecture`: sequences of steps for an audience;
//! * `check`: problems in a scenario while it is typed, its parameters, and how long it will take;
//! * `runs`: simulations with pause, step and speed;
//! * `results`: files of stored results and of finished runs;
//! * `theory`: fluid models, phase planes and stability;
//! * `assets`: the page;
//! * `static_page`: the page as static files, which need no server.

mod answer;
mod assets;
mod check;
mod desk;
mod door;
mod gallery;
mod guard;
mod lecture;
mod limits;
mod results;
mod runs;
mod server;
mod static_page;
mod theory;

pub use lecture::{Lecture, LectureError};
pub use limits::{ConnectionLimits, Limits};
pub use server::{ServeError, Server, Settings};
pub use static_page::{Engine, static_page};
