//! Finds the commit of the program.

mod commit;

fn main() {
    println!("cargo:rerun-if-changed=commit.rs");
    commit::announce("../..");
}
