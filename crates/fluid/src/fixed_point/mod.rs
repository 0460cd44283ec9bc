//! Fixed points of the fluid models of DCQCN and patched TIMELY.

pub mod dcqcn;
pub mod timely;
