package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.compare.ResultComparison.Pair;
import org.inferometer.results.ResultLibrary;
import org.junit.jupiter.api.Test;

class OlderRecordsComparisonTest {
    /// Written before figures named the seeds of their runs.
    @Test
    void olderRecordsArePairedByTheSeedsOfTheirRuns() throws IOException {
        ExperimentRecord older = new ResultLibrary(Path.of("src/test/records")).open(Path.of("src/test/records/quick"));
        List<ComparedSide> cells = ComparedSide.cells(older);
        Pair pair = ResultComparison
                .of(List.of(cells.getFirst()), List.of(List.of(cells.getLast())), false, KnownVariation.NONE).pairs()
                .getFirst();
        assertThat(pair.pairings()).containsExactly("Paired by seed (3 pairs).");
    }
}
