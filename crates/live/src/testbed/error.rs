//! Reasons why a network could not run on this machine.

use std::io;

use crate::plan::PlanError;
use crate::sys::SysError;

/// The reason why a network could not run on this machine.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages show the fields")]
pub enum TestbedError {
    /// The network cannot run on real frames.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The network has a shape that the testbed does not support.
    #[error("{0}")]
    Shape(String),
    /// The kernel refused a request.
    #[error(transparent)]
    System(#[from] SysError),
    /// An interface failed.
    #[error("the {node} failed: {error}")]
    Failed { node: String, error: io::Error },
    /// `ip` is missing or failed.
    #[error("`ip {arguments}` failed: {problem}")]
    Ip { arguments: String, problem: String },
    /// Another thread failed first.
    #[error("another node failed")]
    Abandoned,
    /// The run was stopped.
    #[error("stopped")]
    Stopped,
}

impl TestbedError {
    pub(crate) fn failed(node: &str) -> impl FnOnce(io::Error) -> Self + use<> {
        let node = node.to_owned();
        move |error| Self::Failed { node, error }
    }

    /// Whether the machine does not permit the run; false if the run itself failed.
    pub fn is_not_allowed(&self) -> bool {
        matches!(
            self,
            Self::System(
                SysError::NoNamespace
                    | SysError::NotPermitted { .. }
                    | SysError::NoTun
                    | SysError::TunNotPermitted
            ) | Self::Ip { .. }
        )
    }
}
