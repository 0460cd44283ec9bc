//! Tests of scenarios through the public interface.

mod axes;
mod checks;
mod documents;
mod errors;
mod flow_files;
mod format;
mod glossary;
mod groups;
mod import;
mod names;
mod prepared;
mod readme;
mod robust;
mod threads;
