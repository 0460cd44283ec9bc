//! AFD: equations (2) and (3) worked out by hand, its control loop at a small queue, and properties.

#[path = "../qcn/entropy.rs"]
mod entropy;
mod equations;
mod properties;
mod queue;
