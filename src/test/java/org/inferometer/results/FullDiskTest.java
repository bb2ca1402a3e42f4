package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.inferometer.record.RecordFiles;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;
import org.inferometer.units.FileFault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A disk that is full from any write of a record on.
class FullDiskTest {
    @TempDir
    Path folder;

    @Test
    void everyFailedWriteOfARunNamesItsFile() throws IOException {
        for (int room = 0;; room++) {
            FullDisk disk = new FullDisk(room);
            Path run = folder.resolve("run-" + room);
            RunPlan plan = SampleRecords.plan(SampleRecords.spec(1), 0, 0, folder);
            String message = "";
            try {
                SampleRecords.writeRun(new ResultFiles(), disk.on(run), plan, RunStatus.COMPLETE, 12);
            } catch (IOException e) {
                message = FileFault.describe(Path.of("unknown"), e);
            }
            if (!disk.isFull()) {
                assertThat(message).isEmpty();
                assertThat(new ResultFiles().readRun(run).manifest().status()).isEqualTo(RunStatus.COMPLETE);
                return;
            }
            assertThat(message).as("after %d writes", room).startsWith(run.toString())
                    .endsWith(": No space left on device");
            if (Files.exists(run.resolve(RecordFiles.RUN))) {
                assertThat(new ResultFiles().readRun(run).observations()).isNotNull();
            }
        }
    }

    @Test
    void everyFailedWriteOfASummaryNamesItsFile() throws IOException {
        for (int room = 0;; room++) {
            FullDisk disk = new FullDisk(room);
            Path experiment = folder.resolve("experiment-" + room);
            String message = "";
            try {
                new ResultFiles().saveExperiment(disk.on(experiment), SampleRecords.experiment(experiment, 1));
            } catch (IOException e) {
                message = FileFault.describe(Path.of("unknown"), e);
            }
            assertThat(Files.exists(experiment.resolve(RecordFiles.EXPERIMENT))).isEqualTo(!disk.isFull());
            if (!disk.isFull()) {
                return;
            }
            assertThat(message).as("after %d writes", room).startsWith(experiment.toString())
                    .endsWith(": No space left on device");
        }
    }
}
