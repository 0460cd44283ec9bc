//! Linearisation, transfer functions, margins.
