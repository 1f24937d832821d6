package weir;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A real Flink cluster in this process: two TaskManagers, their jobs one after the other. Nothing waits longer than {@link #LIMIT}. */
final class Cluster implements AutoCloseable {
    static final Duration LIMIT = Duration.ofSeconds(60);

    private final MiniCluster cluster;

    Cluster() throws Exception {
        // Small buffers: records are cut between them often.
        Configuration configuration = Configuration.fromMap(
                Map.of("rest.bind-port", "0", "taskmanager.memory.managed.size", "128m", "taskmanager.memory.network.max", "64m", "taskmanager.memory.segment-size", "4kb"));
        cluster = new MiniCluster(
                new MiniClusterConfiguration.Builder().setConfiguration(configuration).setNumTaskManagers(2).setNumSlotsPerTaskManager(4).build());
        cluster.start();
    }

    /** An environment whose job starts from {@code snapshot}, or from nothing if that is null. Nothing in the snapshot may be left over. */
    static StreamExecutionEnvironment environment(String backend, int parallelism, String snapshot, Map<String, String> more) {
        Configuration configuration = Configuration.fromMap(more);
        configuration.setString("state.backend.type", backend);
        configuration.setString("restart-strategy.type", "disable");
        // One operator is one vertex, so that each has channels, coordinators and parallelism of its own.
        configuration.setString("pipeline.operator-chaining.enabled", "false");
        if (snapshot != null) configuration.setString("execution.state-recovery.path", snapshot);
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        environment.setParallelism(parallelism);
        return environment;
    }

    JobID submit(StreamExecutionEnvironment environment) throws Exception {
        JobGraph job = environment.getStreamGraph().getJobGraph();
        return cluster.submitJob(job).get(LIMIT.toSeconds(), TimeUnit.SECONDS).getJobID();
    }

    /** Runs a job to its own end; throws what it failed of. */
    void run(StreamExecutionEnvironment environment) throws Exception {
        end(submit(environment));
    }

    void end(JobID job) throws Exception {
        cluster.requestJobResult(job).get(LIMIT.toSeconds(), TimeUnit.SECONDS).toJobExecutionResult(getClass().getClassLoader());
    }

    /** Waits for something that the running job does; throws the job's failure if it ends before. */
    void await(JobID job, BooleanSupplier condition) throws Exception {
        for (long until = System.nanoTime() + LIMIT.toNanos(); !condition.getAsBoolean(); Thread.sleep(20)) {
            if (status(job).isGloballyTerminalState()) end(job);
            if (System.nanoTime() > until) throw new IllegalStateException("the job did not get there in " + LIMIT.toSeconds() + " s");
        }
    }

    String savepoint(JobID job, String directory, SavepointFormatType format) throws Exception {
        return cluster.triggerSavepoint(job, directory, false, format).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    String stop(JobID job, String directory, boolean drain) throws Exception {
        return cluster.stopWithSavepoint(job, directory, drain, SavepointFormatType.CANONICAL).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    String checkpoint(JobID job) throws Exception {
        return cluster.triggerCheckpoint(job).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    void cancel(JobID job) throws Exception {
        cluster.cancelJob(job).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        cluster.requestJobResult(job).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private JobStatus status(JobID job) throws Exception {
        return cluster.getJobStatus(job).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void close() throws Exception {
        cluster.close();
    }
}
