package org.inferometer.results.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.results.SampleRecords;

/// Runs of given requests, written as another tool's file and read again.
final class RoundTrip {
    private static final List<ForeignFormat> WITH_REQUESTS =
            List.of(VllmFormat.FORMAT, AiperfFormat.FORMAT, GuideLlmFormat.FORMAT);

    private RoundTrip() {}

    static RunRecord run(List<RequestOutcome> requests) {
        return new RunRecord("run-000", SampleRecords
                .manifest(SampleRecords.plan(SampleRecords.spec(1), 0, 0, Path.of("x")), RunStatus.COMPLETE),
                observed(requests), List.of());
    }

    static RunObservations observed(List<RequestOutcome> requests) {
        return new RunObservations(requests, List.of(), List.of(), new RunObservations.Setup(0, 0, 0, 0));
    }

    /// What comes back of the requests.
    ///
    /// @param folder takes the file
    /// @param word of a format that holds requests
    static List<RequestOutcome> of(Path folder, String word, List<RequestOutcome> requests) throws IOException {
        return read(folder, word, Exporter.of(run(requests), word)).requests();
    }

    /// The only run of a file's text.
    static ForeignRun read(Path folder, String word, String text) throws IOException {
        Path file = folder.resolve(word + ".json");
        Files.writeString(file, text);
        ForeignFile foreign = ForeignFile.read(file);
        ForeignFormat format = WITH_REQUESTS.stream().filter(each -> each.id().equals(word)).findFirst().orElseThrow();
        assertThat(format.fits(foreign)).isTrue();
        List<ForeignRun> runs = format.read(foreign);
        assertThat(runs).hasSize(1);
        return runs.getFirst();
    }
}
