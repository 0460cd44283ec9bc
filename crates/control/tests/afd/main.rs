//! AFD: equations (2) and (3) by hand, its loop in a small queue, and properties.

#[path = "../qcn/entropy.rs"]
mod entropy;
mod equations;
mod properties;
mod queue;
