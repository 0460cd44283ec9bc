//! Tests of the framework with a small experiment, and checks of the data of every experiment.

mod chapters;
mod data;
mod documents;
mod execution;
mod falsify;
mod pages;
mod search;
mod small;
mod verdicts;
