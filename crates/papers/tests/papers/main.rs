//! Tests of the framework on a small experiment, and of every experiment as data.

mod chapters;
mod data;
mod documents;
mod execution;
mod falsify;
mod pages;
mod search;
mod small;
mod verdicts;
