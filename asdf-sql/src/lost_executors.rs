//! Ends the queries of a cluster that has lost an executor, so that their clients start them again.
//!
//! Ballista 55 repeats the lost parts of a query. But if a part was done, and is repeated because its input was lost, its rows
//! are in the result twice, or the query never ends. It also never ends if no executor runs.

use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use ballista_core::JobId;
use ballista_core::error::Result;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::protobuf::{CancelJobParams, ExecutorHeartbeat, job_status};
use ballista_core::serde::scheduler::{ExecutorData, ExecutorMetadata};
use ballista_scheduler::cluster::{
    BallistaCluster, BoundTask, ClusterState, ClusterStateEventStream, ExecutorSlot, JobState,
};
use ballista_scheduler::config::TaskDistributionPolicy;
use ballista_scheduler::state::task_manager::JobInfoCache;
use datafusion::common::DataFusionError;
use tokio::time::{Instant, sleep};

/// How often the executors are counted.
const EVERY: Duration = Duration::from_secs(1);

/// What Ballista says of a query that was ended, of a task that could not fetch its input, and of results that the client could
/// not fetch.
const SAID: [&str; 3] =
    ["failed: Cancelled", " has failed 1 times, most recent", "Shuffle fetch partition error"];

/// Returns whether a query failed because the cluster lost an executor, or none runs. It can be run again.
#[must_use]
pub fn lost_executor(error: &DataFusionError) -> bool {
    let text = error.to_string();
    SAID.iter().any(|said| text.contains(said))
}

/// The executors of a cluster. When one is removed, the queries that run are ended first.
#[derive(Clone)]
pub(crate) struct Executors {
    all: Arc<dyn ClusterState>,
    jobs: Arc<dyn JobState>,
    scheduler: SocketAddr,
}

impl Executors {
    /// The executors of a cluster whose scheduler listens on an address.
    pub(crate) fn new(cluster: &BallistaCluster, mut scheduler: SocketAddr) -> Self {
        if scheduler.ip().is_unspecified() {
            scheduler.set_ip(match scheduler.ip() {
                IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
            });
        }
        Self { all: cluster.cluster_state(), jobs: cluster.job_state(), scheduler }
    }

    /// A cluster of these executors.
    pub(crate) fn cluster(&self) -> BallistaCluster {
        BallistaCluster::new(Arc::new(self.clone()), self.jobs.clone())
    }

    /// Ends the queries that run while the cluster has had no executor for some time.
    pub(crate) async fn watch(&self, timeout: Duration) -> ! {
        let mut last = Instant::now();
        loop {
            sleep(EVERY).await;
            if !self.all.executor_heartbeats().is_empty() {
                last = Instant::now();
            } else if last.elapsed() >= timeout {
                self.end_queries().await;
            }
        }
    }

    /// Ends all queries that run.
    async fn end_queries(&self) {
        if let Err(error) = self.try_end_queries().await {
            log::error!("cannot end the queries of a cluster that lost its executors: {error}");
        }
    }

    async fn try_end_queries(&self) -> Result<()> {
        let mut client = None;
        for job in self.jobs.get_all_jobs().await? {
            let status = self.jobs.get_job_status(&job).await?.and_then(|status| status.status);
            if !matches!(status, Some(job_status::Status::Running(_))) {
                continue;
            }
            let client = match &mut client {
                Some(client) => client,
                none => {
                    let address = format!("http://{}", self.scheduler);
                    none.insert(SchedulerGrpcClient::connect(address).await?)
                }
            };
            client.cancel_job(CancelJobParams { job_id: job.to_string() }).await?;
        }
        Ok(())
    }
}

#[async_trait]
impl ClusterState for Executors {
    async fn init(&self) -> Result<()> {
        self.all.init().await
    }

    async fn bind_schedulable_tasks(
        &self,
        distribution: TaskDistributionPolicy,
        jobs: Arc<HashMap<JobId, JobInfoCache>>,
        executors: Option<HashSet<String>>,
    ) -> Result<Vec<BoundTask>> {
        self.all.bind_schedulable_tasks(distribution, jobs, executors).await
    }

    async fn unbind_tasks(&self, slots: Vec<ExecutorSlot>) -> Result<()> {
        self.all.unbind_tasks(slots).await
    }

    async fn register_executor(&self, metadata: ExecutorMetadata, data: ExecutorData) -> Result<()> {
        self.all.register_executor(metadata, data).await
    }

    async fn save_executor_metadata(&self, metadata: ExecutorMetadata) -> Result<()> {
        self.all.save_executor_metadata(metadata).await
    }

    async fn get_executor_metadata(&self, executor: &str) -> Result<ExecutorMetadata> {
        self.all.get_executor_metadata(executor).await
    }

    async fn registered_executor_metadata(&self) -> Vec<ExecutorMetadata> {
        self.all.registered_executor_metadata().await
    }

    async fn save_executor_heartbeat(&self, heartbeat: ExecutorHeartbeat) -> Result<()> {
        self.all.save_executor_heartbeat(heartbeat).await
    }

    async fn remove_executor(&self, executor: &str) -> Result<()> {
        // Ballista begins to repeat tasks only after this.
        self.end_queries().await;
        self.all.remove_executor(executor).await
    }

    fn executor_heartbeats(&self) -> HashMap<String, ExecutorHeartbeat> {
        self.all.executor_heartbeats()
    }

    fn get_executor_heartbeat(&self, executor: &str) -> Option<ExecutorHeartbeat> {
        self.all.get_executor_heartbeat(executor)
    }

    async fn cluster_state_events(&self) -> Result<ClusterStateEventStream> {
        self.all.cluster_state_events().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_executors_are_told_from_other_failures() {
        let is_lost = |text: &str| lost_executor(&DataFusionError::Execution(text.to_owned()));
        assert!(is_lost("Job 7 failed: Cancelled"));
        assert!(is_lost(
            "Job 7 failed: Job failed due to stage 2 failed: Stage 2 has failed 1 times, most recent failure reason: \"tcp\""
        ));
        assert!(is_lost("Shuffle fetch partition error from Executor 5, map_stage 1, map_partition 0"));
        assert!(!is_lost(
            "Job 7 failed: Job failed due to stage 0 failed: Task failed due to runtime execution error"
        ));
    }
}
