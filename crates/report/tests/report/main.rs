//! The report as a whole, on synthetic records of every shape.

mod apart;
mod comparisons;
mod drawings;
mod large;
mod page;
mod robust;
mod slowdown;
mod spelling;
mod style;
mod summary;
mod sweep;
mod synthetic;
mod theory;
