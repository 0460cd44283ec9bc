//! The QCN parameters of a network card: messages, values, and a card in memory.

#[cfg(target_os = "linux")]
mod card;
mod messages;
mod values;
