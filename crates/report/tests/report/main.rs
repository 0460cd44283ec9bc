//! The report as a whole, on synthetic records of every shape.

mod drawings;
mod page;
mod robust;
mod summary;
mod synthetic;
