//! AF-QCN: its equations by hand, the max-min allocation against water-filling, and properties.

#[path = "../qcn/entropy.rs"]
mod entropy;
mod equations;
mod properties;
mod shares;
mod support;
