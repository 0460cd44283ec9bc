//! The fluid models.
