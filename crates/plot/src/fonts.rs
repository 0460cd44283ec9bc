//! The system's fonts, for PNG. This is the only part of the crate that depends on the machine: fonts are
//! looked up by family name, and another machine may have different ones.

use std::sync::{Arc, OnceLock};

use resvg::usvg::fontdb::Database;

/// The system's fonts, loaded once because loading takes longer than drawing.
pub(crate) fn fonts() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let load = || {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        Arc::new(fonts)
    };
    Arc::clone(FONTS.get_or_init(load))
}
