package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.SampleRecords;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;

class RecordEstimateTest {
    @Test
    void measuredSamplesAreSmallerThanTheirEstimates() throws IOException {
        List<ResultLibrary.Entry> measured = new ResultLibrary(Path.of("sample-results")).list().stream()
                .filter(sample -> sample.manifest().orElseThrow().times().imported() == null).toList();
        assertThat(measured).isNotEmpty();
        for (ResultLibrary.Entry sample : measured) {
            assertThat(RecordEstimate.bytes(sample.manifest().orElseThrow())).as(sample.folder().toString())
                    .isBetween(size(sample.folder()), 100 * size(sample.folder()));
        }
    }

    @Test
    void millionsOfTokensNeedGigabytes() {
        WorkloadSpec load = new WorkloadSpec("long", LengthDistribution.parse("64"), LengthDistribution.parse("1000"),
                null, 0, new ArrivalProcess.ClosedLoop(100), 100_000, 0);
        ExperimentSpec spec = SampleRecords.spec(1).withWorkloads(List.of(load)).withEngines(List.of("tiny-fp8"));
        ExperimentManifest search = SampleRecords.experiment(Path.of("nowhere"), 1);
        assertThat(RecordEstimate.bytes(new ExperimentManifest(search.formatVersion(), "", spec, List.of(),
                search.machine(), search.times(), search.outcome(), false)))
                .isEqualTo(2 * (1_048_576 + 1_630_065_200L));
    }

    private static long size(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
        }
    }
}
