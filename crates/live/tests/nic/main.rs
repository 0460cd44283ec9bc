//! The QCN parameters of a network card: messages, values, and a simulated card.

#[cfg(target_os = "linux")]
mod card;
mod messages;
mod values;
