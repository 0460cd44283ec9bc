//! Instructs the linker on macOS to leave the interpreter's symbols undefined, as linkers do on other systems, and
//! determines the commit.

#[path = "../crates/cli/commit.rs"]
mod commit;

fn main() {
    pyo3_build_config::add_extension_module_link_args();
    commit::announce("..");
}
