package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.inferometer.record.HarnessCeiling;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.record.SelfCheckResult.Bound;
import org.inferometer.record.SelfCheckResult.State;
import org.inferometer.record.SelfCheckStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SelfCheckFileTest {
    private static final MachineDescription HERE = SampleRecords.MACHINE;
    private static final List<SelfCheckResult> RESULTS = List.of(
            new SelfCheckResult("timer_grain", "timer grain, median", 49.0, "ns", Bound.AT_MOST, 1000.0, State.PASSED,
                    "Fine."),
            new SelfCheckResult("generator_ceiling", "load generator", 350_000.0, "requests/s", Bound.AT_LEAST,
                    20_000.0, State.PASSED, "Fast."),
            new SelfCheckResult("http_chunk_ceiling", "HTTP client", null, "chunks/s", Bound.NONE, null,
                    State.NOT_CHECKED, "No port."));

    @TempDir
    Path folder;

    @Test
    void whatWasKeptIsReadBack() throws IOException {
        SelfCheckFile file = new SelfCheckFile(folder);
        assertThat(file.last()).isEmpty();
        file.save(Instant.EPOCH, HERE, RESULTS);
        assertThat(file.last()).contains(new SelfCheckStore.Kept(1, Instant.EPOCH, HERE, RESULTS));
    }

    @Test
    void theCeilingHoldsForTheMachineItWasMeasuredOnAndNoOther() throws IOException {
        SelfCheckFile file = new SelfCheckFile(folder);
        file.save(Instant.EPOCH, HERE, RESULTS);
        assertThat(file.ceiling(HERE)).contains(new HarnessCeiling(350_000, 0));
        MachineDescription other = new MachineDescription(HERE.operatingSystem(), HERE.architecture(), "Another CPU",
                HERE.physicalCores(), HERE.logicalCores(), HERE.memoryBytes(), HERE.javaRuntime(), HERE.vectorBits(),
                HERE.gpus(), HERE.inferometerVersion());
        assertThat(file.ceiling(other)).isEmpty();
    }

    @Test
    void partOfThisMachineIsKept() throws IOException {
        SelfCheckFile file = new SelfCheckFile(folder);
        file.save(Instant.EPOCH, HERE, RESULTS);
        assertThat(file.results(HERE, result -> result.id().startsWith("timer"))).containsExactly(RESULTS.getFirst());
        MachineDescription other = new MachineDescription(HERE.operatingSystem(), HERE.architecture(), "Another CPU",
                HERE.physicalCores(), HERE.logicalCores(), HERE.memoryBytes(), HERE.javaRuntime(), HERE.vectorBits(),
                HERE.gpus(), HERE.inferometerVersion());
        assertThat(file.results(other, result -> true)).isEmpty();
    }

    @Test
    void aDamagedFileIsAsNone() throws IOException {
        Files.writeString(folder.resolve(SelfCheckFile.NAME), "{\"formatVersion\": 1, \"results\": [");
        assertThat(new SelfCheckFile(folder).last()).isEmpty();
        Files.writeString(folder.resolve(SelfCheckFile.NAME), "{\"formatVersion\": 1}");
        assertThat(new SelfCheckFile(folder).last()).isEmpty();
    }
}
