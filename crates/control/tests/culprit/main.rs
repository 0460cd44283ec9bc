//! Whom to tell: the culprit array against a model, its search against closed forms, and the shares of its choices.

mod buffer;
#[path = "../qcn/entropy.rs"]
mod entropy;
mod marking;
mod model;
mod search;
mod shares;
