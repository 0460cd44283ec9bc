//! Asks the linker on macOS to leave the symbols of the interpreter undefined, as it does elsewhere, and finds the commit.

#[path = "../crates/cli/commit.rs"]
mod commit;

fn main() {
    pyo3_build_config::add_extension_module_link_args();
    commit::announce("..");
}
