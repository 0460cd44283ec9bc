//! Determines the commit from which the program is built.

mod commit;

fn main() {
    println!("cargo:rerun-if-changed=commit.rs");
    commit::announce("../..");
}
