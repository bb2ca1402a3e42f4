package org.inferometer.suite.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.inferometer.suite.slurm.JobRequest.Allocation;
import org.inferometer.suite.slurm.JobWait.JobEnd;
import org.inferometer.suite.slurm.JobWait.JobListener;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Four fake nodes of four GPUs.
@Execution(ExecutionMode.CONCURRENT)
class FourNodeClusterTest {
    @TempDir
    private Path folder;

    @Test
    void jobTakesThreeNodesOfFourGpus() throws Exception {
        try (TestCluster cluster = TestCluster.start(folder, 4)) {
            Slurm slurm = cluster.slurm();
            Path script = cluster.script("nodes",
                    "echo $SLURM_NNODES $SLURM_NTASKS $SLURM_NTASKS_PER_NODE $SLURM_GPUS_ON_NODE");
            Allocation allocation = new Allocation("batch", "", "02:00:00", 3, 12, 4, false, 3, "--gres=gpu:4");
            JobRequest request =
                    new JobRequest("gpus", allocation, JobRequest.pattern(folder, "%j.out"), "", script, List.of());
            String id = slurm.submit(request, "token-1");
            JobEnd end = new JobWait(slurm, new SystemClock(),
                    new JobWait.Times(Duration.ZERO, Duration.ofMillis(100), Duration.ofSeconds(20),
                            Duration.ofSeconds(1)),
                    FatalLogLines.DEFAULT)
                    .await(new JobLedger.Entry("test", "token", Instant.now(), id), List::of, new JobListener() {});
            assertThat(end.isSuccess()).as(end.toString()).isTrue();
            assertThat(end.status().orElseThrow().nodes()).isEqualTo("n[1-3]");
            assertThat(folder.resolve(id + ".out")).hasContent("3 12 4 4");
            JobRequest tooMany =
                    new JobRequest("five", allocation.withExtra("--gres=gpu:5"), "", "", script, List.of());
            assertThatThrownBy(() -> slurm.submit(tooMany, "token-2")).hasMessage("sbatch refused job \"five\": "
                    + "Batch job submission failed: Requested node configuration is not available.");
        }
    }
}
