//! AF-QCN: its equations worked out by hand, the max-min allocation compared with water-filling, and
//! properties.

mod equations;
mod properties;
mod shares;
mod support;
