//! AFD: equations (2) and (3) worked out by hand, its control loop at a simple queue, and properties.

mod equations;
mod properties;
mod queue;
