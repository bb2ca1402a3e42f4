package org.inferometer.results.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportedArrivalsTest {
    @TempDir
    private Path folder;

    private ForeignRun read(ForeignFormat format, String text) throws IOException {
        Path file = folder.resolve("file.json");
        Files.writeString(file, text);
        return format.read(ForeignFile.read(file)).getFirst();
    }

    private WorkloadSpec load(ForeignFormat format, String text) throws IOException {
        return ForeignMatrix.of("imported", List.of(read(format, text))).spec().workloads().getFirst();
    }

    private Optional<ArrivalProcess> arrivals(ForeignFormat format, String text) throws IOException {
        return ReportedArrivals.in(load(format, text));
    }

    private static String guideLlm(String strategy) {
        return "{\"benchmarks\": [{\"config\": {\"strategy\": " + strategy + "}, \"metrics\": {}}]}";
    }

    @Test
    void strategiesOfGuideLlmKeepTheirArrivals() throws IOException {
        assertThat(arrivals(GuideLlmFormat.FORMAT, guideLlm("{\"type_\": \"constant\", \"rate\": 2.0}")))
                .contains(new ArrivalProcess.Constant(2));
        assertThat(arrivals(GuideLlmFormat.FORMAT, guideLlm("{\"type_\": \"poisson\", \"rate\": 2.0}")))
                .contains(new ArrivalProcess.Poisson(2));
        assertThat(arrivals(GuideLlmFormat.FORMAT, guideLlm("{\"type_\": \"concurrent\", \"streams\": 8}")))
                .contains(new ArrivalProcess.ClosedLoop(8));
        assertThat(arrivals(GuideLlmFormat.FORMAT, guideLlm("{\"type_\": \"throughput\"}"))).isEmpty();
    }

    @Test
    void burstinessOfVllmIsGamma() throws IOException {
        String vllm = """
                {"model_id": "org/model", "num_prompts": 100, "request_rate": 4.0, "burstiness": %s, "completed": 100,
                 "duration": 25.0, "request_throughput": 4.0, "output_throughput": 40.0, "mean_ttft_ms": 50.0}""";
        assertThat(arrivals(VllmFormat.FORMAT, vllm.formatted("0.5"))).contains(new ArrivalProcess.Gamma(4, 0.5));
        assertThat(arrivals(VllmFormat.FORMAT, vllm.formatted("1.0"))).contains(new ArrivalProcess.Poisson(4));
    }

    /// The mean number in flight of trtllm-bench is a result; the loop is not closed.
    @Test
    void trtllmBenchKeepsItsTtftAndInventsNoConcurrency() throws IOException {
        String report =
                """
                {"engine": {"model": "org/model"}, "world_info": {"issue_rate": "INFINITE"},
                 "request_info": {"num_requests": 100, "avg_num_concurrent_requests": 61.2},
                 "performance": {"system_output_throughput_tok_s": 50.0},
                 "streaming_metrics": {"avg_ttft_ms": 20.0, "ttft_percentiles": {"p50": 19.0, "p95": 30.0, "average": 20.0}}}""";
        ForeignFormat format = TrtllmBenchFormat.FORMAT;
        assertThat(load(format, report).requests()).isEqualTo(100);
        assertThat(arrivals(format, report)).isEmpty();
        assertThat(read(format, report).figures()).containsExactly(figure(Metrics.OUTPUT_THROUGHPUT, 50, true),
                figure(Metrics.SERVICE_TTFT.mean(), 20e6, true), figure(Metrics.SERVICE_TTFT.p50(), 19e6, true),
                figure(Metrics.SERVICE_TTFT.p95(), 30e6, false));
    }

    private static Figure figure(Metric metric, double value, boolean enough) {
        return new Figure(metric, value, 100, enough);
    }
}
