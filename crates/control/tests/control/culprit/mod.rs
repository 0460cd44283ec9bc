//! Choosing the flow to notify: the culprit array compared with a model, its search with closed forms, and the
//! shares of its choices.

mod buffer;
mod marking;
mod model;
mod search;
mod shares;
