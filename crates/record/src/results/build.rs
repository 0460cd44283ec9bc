//! The build that computed a result.

use super::keyed::keyed;

keyed! {
    /// The build that computed a result.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Build {
        /// Digest of the sources of the simulator and the laboratory, and of the versions of their dependencies. Builds with
        /// the same digest compute the same results.
        pub sources: String,
        /// Git commit of the program, followed by `-dirty` if its sources had been modified; `null` if it was not built in a
        /// git repository.
        pub commit: Option<String>,
        /// Cargo profile: `release` or `debug`.
        pub profile: String,
        /// The platform for which the program was compiled.
        pub target: String,
        /// Version of the compiler.
        pub rustc: String,
    }
}
