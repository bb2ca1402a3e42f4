package org.inferometer.results.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Figure;
import org.inferometer.results.exchange.Summary.FigureField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SummaryTest {
    @TempDir
    Path folder = Path.of("");

    private ForeignFields fields(String json) throws IOException {
        ForeignFile file = ForeignFile.read(Files.writeString(folder.resolve("file.json"), json));
        return new ForeignFields(file, "", file.documents().getFirst());
    }

    /// vLLM and SGLang write 0 where all requests failed, and TPOT 0 for answers of one token.
    @Test
    void aLatencyOfZeroIsAbsent() throws IOException {
        Summary summary = new Summary(100)
                .add(List.of(new FigureField("%s_tpot_ms", Metrics.TPOT, Summary.MS)),
                        fields("{\"mean_tpot_ms\": 0.0, \"median_tpot_ms\": 12.0, \"p90_tpot_ms\": 0.0}"))
                .add(Metrics.REQUESTS_OK, OptionalDouble.of(0), 1);
        assertThat(summary.figures()).containsExactly(new Figure(Metrics.TPOT.p50(), 12e6, 100, true),
                new Figure(Metrics.REQUESTS_OK, 0, 100, true));
        assertThat(summary.note())
                .hasValue("The file has placeholders, such as 0 or −1, for TPOT mean, TPOT P90: they are left out.");
        assertThat(new Summary(1).note()).isEmpty();
    }

    @Test
    void unitOfTheFileCountsAndAnUnknownOneIsNoFigure() throws IOException {
        List<FigureField> table = List.of(new FigureField("a.ttft.%s", Metrics.SERVICE_TTFT, Summary.MS),
                new FigureField("a.tpot.%s", Metrics.TPOT, Summary.MS),
                new FigureField("a.rate.%s", Metrics.REQUEST_THROUGHPUT, 1),
                new FigureField("a.share", Metrics.SERVER_ACCEPTANCE, 0.01));
        Summary summary = new Summary(0).add(table,
                fields("{\"a\": {\"ttft\": {\"units\": \"s\", \"mean\": 0.5, \"p99\": 2}, \"share\": 150,"
                        + " \"tpot\": {\"unit\": \"jiffies\", \"mean\": 3}, \"rate\": {\"unit\": \"requests/min\", \"avg\": 60}}}"));
        assertThat(summary.figures()).containsExactly(new Figure(Metrics.SERVICE_TTFT.mean(), 500e6, 0, true),
                new Figure(Metrics.SERVICE_TTFT.p99(), 2e9, 0, true),
                new Figure(Metrics.REQUEST_THROUGHPUT, 1, 0, true));
        assertThat(summary.note()).hasValue(
                "The file has placeholders, such as 0 or −1, for Server acceptance: they are left out. Units that are not known: TPOT mean in jiffies.");
    }
}
