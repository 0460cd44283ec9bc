//! Message sizes measured in data centres.
//!
//! The points are those of public simulators: sizes in bytes at cumulative probabilities, with linear interpolation. "HPCC" is
//! github.com/alibaba-edu/High-Precision-Congestion-Control, folder traffic_gen. A distribution that begins at 0 B there
//! begins at 1 B here.

use super::sizes::SizeTable;

/// A distribution of message sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// A web search cluster (the DCTCP paper), as circulated with public simulators; HPCC has the same.
    WebSearch,
    /// A data mining cluster (the VL2 paper), as circulated with public simulators.
    DataMining,
    /// A Hadoop cluster (HPCC, FbHdp_distribution.txt): all points of the source.
    FbHadoop,
    /// A storage cluster (HPCC, AliStorage2019.txt): all points of the source.
    AliStorage,
    /// Remote procedure calls (HPCC, GoogleRPC2008.txt): 58 of the 843 points of the source. Probabilities differ by at most
    /// 0.1 %, and the mean by 1.8 %.
    GoogleRpc,
}

impl Workload {
    /// The distribution.
    pub fn sizes(self) -> SizeTable {
        let table = match self {
            Self::WebSearch => include_str!("workloads/web-search.csv"),
            Self::DataMining => include_str!("workloads/data-mining.csv"),
            Self::FbHadoop => include_str!("workloads/fb-hadoop.csv"),
            Self::AliStorage => include_str!("workloads/ali-storage.csv"),
            Self::GoogleRpc => include_str!("workloads/google-rpc.csv"),
        };
        let point = |line: &str| {
            let (size, share) = line.split_once(',')?;
            Some((size.parse().ok()?, share.parse().ok()?))
        };
        let points = table.lines().skip(1).map(|line| point(line).expect("a size and a probability"));
        SizeTable { points: points.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The means that HPCC's generator computes, and that of all points of the source for remote procedure calls.
    #[test]
    fn means_are_those_of_the_sources() {
        let means = [
            (Workload::FbHadoop, 120_421.0, 1e-4),
            (Workload::AliStorage, 40_870.0, 1e-4),
            (Workload::GoogleRpc, 2_892.0, 0.02),
        ];
        for (workload, expected, tolerance) in means {
            let mean = workload.sizes().mean();
            assert!((mean / expected - 1.0).abs() < tolerance, "{workload:?}: {mean}");
        }
    }

    #[test]
    fn tables_are_valid() {
        use Workload::{AliStorage, DataMining, FbHadoop, GoogleRpc, WebSearch};
        for workload in [WebSearch, DataMining, FbHadoop, AliStorage, GoogleRpc] {
            let sizes = workload.sizes();
            assert_eq!(SizeTable::new(sizes.points.clone()), Ok(sizes), "{workload:?}");
        }
    }
}
