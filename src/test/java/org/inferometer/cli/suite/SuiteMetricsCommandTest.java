package org.inferometer.cli.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.inferometer.cli.CliFixture;
import org.inferometer.suite.ServingConfigurations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteMetricsCommandTest {
    private static final String LOG = """
            Total requests: 10
            Median TTFT (ms):     213.4
            Median E2EL (ms):     7582.2
            Failed requests: 1
            Benchmark with concurrency 4 done
            """;

    private final Path folder;
    private final CliFixture cli;

    SuiteMetricsCommandTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        this.cli = new CliFixture(folder);
        cli.write("configs/disagg/perf/a.yaml", ServingConfigurations.MINIMAL);
    }

    private CliFixture.Outcome metrics(String... more) {
        return cli.run(Stream.concat(
                Stream.of("suite", "metrics", folder.resolve("configs").toString(), folder.resolve("logs").toString()),
                Stream.of(more)).toArray(String[]::new));
    }

    @Test
    void figuresOfFailedTestsAreReadToo() throws IOException {
        cli.write("logs/disagg_perf_a_ERROR/6_bench.log", LOG);
        CliFixture.Outcome outcome = metrics();

        assertThat(outcome.exit()).isZero();
        assertThat(outcome.out().replaceAll("[ ]+", " ")).contains("disagg_perf_a 10 requests, 1 failed\n",
                " 4 SERVER_MEDIAN_TTFT 213.40\n", " 4 SERVER_MEDIAN_E2EL 7582.20\n");
    }

    @Test
    void ownPatternsAreUsed() throws IOException {
        cli.write("configs/disagg/perf/a.yaml",
                ServingConfigurations.MINIMAL.replace("streaming: true",
                        "streaming: true\n  metrics: {log_file: own.log, metric_names: [A, B],"
                                + " extractor_pattern: 'A (\\d+) B (\\d+) con (\\d+)'}"));
        cli.write("logs/disagg_perf_a/own.log", "A 1 B 2 con 8\n");

        assertThat(metrics("--json").out()).contains("\"metric\" : \"A\"", "\"concurrency\" : 8", "\"value\" : 2.0");
    }

    @Test
    void whatIsMissingIsToldAndFails() throws IOException {
        assertThat(metrics().exit()).isEqualTo(2);
        cli.write("logs/other/6_bench.log", LOG);
        assertThat(metrics().exit()).isEqualTo(1);
        assertThat(metrics().out()).contains("6_bench.log: no such log.");
        cli.write("configs/disagg/perf/a.yaml",
                ServingConfigurations.MINIMAL.replace("streaming: true",
                        "streaming: true\n  metrics: {log_file: ../../secret.log, metric_names: [A, B],"
                                + " extractor_pattern: '(A) (B) (c)'}"));
        assertThat(metrics().out().replaceAll("\\s+", " "))
                .contains("The log \"../../secret.log\" of the configuration leads out of");
    }
}
