package org.inferometer.suite.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.MachineDescription;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.SampleRecords;
import org.inferometer.suite.figures.LogMetrics.LogValue;
import org.inferometer.suite.figures.SuiteFigures.EndedTest;
import org.inferometer.suite.serving.LogPattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class SuiteFiguresTest {
    private static final Instant BEGUN = Instant.parse("2026-11-23T17:00:00Z");

    @TempDir
    Path folder;

    private ExperimentRecord record() throws IOException {
        Path result = folder.resolve("results").resolve("a");
        if (Files.notExists(result)) {
            SampleRecords.writeExperiment(result, 2);
        }
        return new ResultLibrary(result.getParent()).open(result);
    }

    private static EndedTest test(String id, String type) {
        return new EndedTest(id, type, "tiny-int4 on host", BEGUN, BEGUN.plusSeconds(90));
    }

    @Test
    void reportsOfRecordsAreReadBackToTheSameFigures() throws IOException {
        LoadFigures load = LoadFigures.of(List.of(record())).getFirst();
        LogMetrics read = LogMetrics.ofReport("noise\n" + load.report(), "wideep");

        List<LogValue> expected = new ArrayList<>();
        ServingMetric.ALL.forEach(metric -> load.value(metric.ours()).ifPresent(value -> expected
                .add(new LogValue(metric.name(), OptionalInt.empty(), Math.round(value * 100) / 100.0))));
        assertThat(expected).hasSize(12);
        assertThat(load.runs()).isEqualTo(2);
        assertThat(read.findings()).isEmpty();
        assertThat(read.values()).isEqualTo(expected);
        assertThat(read.requests()).isEqualTo(OptionalLong.of(load.ok() + load.failed()));
        assertThat(read.failed()).isEqualTo(OptionalLong.of(load.failed()));
    }

    @Test
    void rowsAreAppendedBelowOneHeader() throws IOException {
        SuiteFigures figures = new SuiteFigures(folder.resolve("out"), BEGUN);
        Path test = Files.createDirectories(folder.resolve("test"));
        figures.add(test("disagg_perf_a", "disagg"), List.of(record()), test);
        Path csv = folder.resolve("out").resolve(SuiteFigures.RESULTS);
        // What a killed program leaves.
        Files.writeString(csv, Files.readString(csv).stripTrailing());
        figures.add(test("wideep_perf_b", "wideep"), List.of(record()), test);

        List<String> lines = Files.readAllLines(csv);
        assertThat(lines.getFirst()).isEqualTo(String.join(",", SuiteFigures.RESULT_COLUMNS));
        assertThat(lines).hasSize(1 + (2 + 12) * LoadFigures.of(List.of(record())).size());
        assertThat(lines.get(1)).matches(
                "disagg_perf_a_tiny-fp8 naive_short,,,,,disagg_perf_a_tiny-fp8 naive_short,disagg_perf_a_tiny-fp8 naive_short,"
                        + "disagg_perf_a_tiny-fp8 naive_short,\\d+\\.\\d{4},90\\.0,2026-11-2\\d \\d\\d:\\d\\d:00,2026-11-2\\d \\d\\d:\\d\\d:30,"
                        + "(in)?valid,disagg_benchmark --model=tiny-int4 on host --load=short,,,SERVER_MEDIAN_TTFT");
        assertThat(lines).allSatisfy(line -> assertThat(line.split(",", -1)).hasSize(17));
        assertThat(Files.readString(figures.log())).contains("Test disagg_perf_a on tiny-int4 on host\n",
                "Test wideep_perf_b on", "Benchmark with load short done");
        assertThat(LogMetrics.read(test.resolve(SuiteFigures.TEST_LOG), "wideep").values())
                .hasSize(12 * LoadFigures.of(List.of(record())).size());
    }

    @Test
    void timeInTheQueueIsNoTimeOfATest() throws IOException {
        ExperimentManifest.ExperimentTimes times = record().manifest().times();
        EndedTest job =
                new EndedTest("a", "disagg", "e", times.started().minusSeconds(7200), times.started().plusSeconds(7200))
                        .during(List.of(record()));
        assertThat(job).isEqualTo(new EndedTest("a", "disagg", "e", times.started(),
                Objects.requireNonNullElse(times.ended(), times.started().plusSeconds(7200))));
        assertThat(job.during(List.of())).isEqualTo(job);
    }

    @Test
    void testsStandBesideEachOtherUnderTheirLoads() throws IOException {
        SuiteMatrix matrix = SuiteMatrix.of(Map.of("a", List.of(record()))).get(SuiteMatrix.Figure.MEDIAN_TTFT);

        assertThat(matrix.loads()).containsExactly(new SuiteLoad.Named("short"));
        assertThat(matrix.rows()).extracting(row -> row.test() + " " + row.runs()).contains("a · tiny-fp8 naive 2")
                .hasSize(LoadFigures.of(List.of(record())).size());
        assertThat(matrix.rows().getFirst().values()).containsOnlyKeys(new SuiteLoad.Named("short"));
        assertThat(matrix.rows().getFirst().values().get(new SuiteLoad.Named("short")))
                .isEqualTo(LoadFigures.of(List.of(record())).getFirst().value(Metrics.TTFT.p50()).orElseThrow());
    }

    @Test
    void testsOfOtherTransceiversAreComparedWithTheDefault() throws IOException {
        List<ExperimentRecord> one = List.of(record());
        Map<String, List<ExperimentRecord>> tests = new LinkedHashMap<>();
        tests.put("a_mtp0_ccb-UCX", one);
        tests.put("a_mtp0_ccb-DEFAULT", one);
        tests.put("b_mtp0_ccb-UCX", one);
        tests.put("c", one);

        List<TestPair> pairs = TestPair.ofTransceivers(tests);
        int loads = LoadFigures.of(List.of(record())).size();
        assertThat(pairs).hasSize(5 * loads)
                .allMatch(pair -> pair.differencePercent() == 0 && pair.status(0).equals("pass"))
                .extracting(pair -> pair.base() + ", " + pair.candidate() + ", " + pair.figure().metric())
                .contains("a_mtp0_ccb-DEFAULT · tiny-fp8 naive, a_mtp0_ccb-UCX · tiny-fp8 naive, SERVER_MEDIAN_TTFT",
                        "a_mtp0_ccb-DEFAULT · tiny-fp8 naive, a_mtp0_ccb-UCX · tiny-fp8 naive, OUTPUT_THROUGHPUT");
        assertThat(TestPair.ofSessions(Map.of("a", one), Map.of("a", one, "b", one))).hasSize(5 * loads);
        assertThat(TestPair.ofSessions(Map.of("a", one), Map.of("b", one))).isEmpty();
    }

    @Test
    void lossIsWhatIsWorse() {
        TestPair latency =
                new TestPair("a", "b", new SuiteLoad.Concurrency(4), SuiteMatrix.Figure.MEDIAN_TTFT, 100, 106, 3);
        TestPair rate =
                new TestPair("a", "b", new SuiteLoad.Named("chat"), SuiteMatrix.Figure.OUTPUT_THROUGHPUT, 100, 106, 3);

        assertThat(latency.csv(5)).containsExactly("a_con:4", "b_con:4", "SERVER_MEDIAN_TTFT", "100.0000", "106.0000",
                "6.0000", "6.0000", "regression");
        assertThat(rate.csv(5)).containsExactly("a_load-chat", "b_load-chat", "OUTPUT_THROUGHPUT", "100.0000",
                "106.0000", "6.0000", "0.0000", "pass");
        assertThat(latency.status(6)).isEqualTo("pass");
    }

    @Test
    void endedSessionsHaveARowOfTheirMachine() throws IOException {
        SuiteFigures figures = new SuiteFigures(folder, BEGUN);
        MachineDescription machine = record().runs().getFirst().manifest().machine();
        figures.addSession(Optional.of(machine), BEGUN.plusSeconds(90));
        figures.addSession(Optional.empty(), BEGUN.plusSeconds(90));

        List<String> lines = Files.readAllLines(folder.resolve(SuiteFigures.SESSIONS));
        assertThat(lines).hasSize(3).first().isEqualTo(String.join(",", SuiteFigures.SESSION_COLUMNS));
        assertThat(lines.get(1)).contains(machine.operatingSystem(), machine.processor());
        assertThat(lines.getLast()).matches(",2026-[^,]+,{14}2026-[^,]+");
    }

    @Test
    void figuresOfAnUnfinishedConcurrencyAreNotThoseOfTheNext() {
        LogMetrics read = LogMetrics.ofReport("""
                Median TTFT (ms):     1.5
                Benchmark with concurrency 1 done
                Median E2EL (ms):     nan
                Median TTFT (ms):     213.4
                Total requests: 10
                Failed requests: 1
                Benchmark with concurrency 4 done
                Median TTFT (ms):     9
                """, "disagg");

        assertThat(read).isEqualTo(new LogMetrics(
                List.of(new LogValue("SERVER_MEDIAN_TTFT", OptionalInt.of(1), 1.5),
                        new LogValue("SERVER_MEDIAN_TTFT", OptionalInt.of(4), 213.4)),
                OptionalLong.of(10), OptionalLong.of(1),
                List.of("\"Benchmark with concurrency 1 done\" follows no SERVER_MEDIAN_E2EL.",
                        "\"Benchmark with concurrency 4 done\" follows no SERVER_MEDIAN_E2EL.",
                        "The log ends before its last concurrency is done.")));
    }

    @Test
    void ownPatternsGiveTheirMetricsAndTheirConcurrency() {
        LogPattern pair = LogPattern.parse("A: ([0-9.]+)\\n(?:.*\\n)*?con=(\\d+)");
        assertThat(LogMetrics.of("A: 1.5\nx\ncon=2\nA: 3\ncon=4\n", pair, List.of("MINE")).values()).containsExactly(
                new LogValue("MINE", OptionalInt.of(2), 1.5), new LogValue("MINE", OptionalInt.of(4), 3));
        // As the framework's documentation has it: one group, no concurrency.
        LogPattern one = LogPattern.parse("Custom Pattern:\\s+([0-9.]+)");
        assertThat(LogMetrics.of("Custom Pattern:  7\n", one, List.of("CUSTOM_METRIC")).values())
                .containsExactly(new LogValue("CUSTOM_METRIC", OptionalInt.empty(), 7));
        LogPattern verbose = LogPattern.parse("Custom \\s Value: # a comment\n ([0-9.]+) [ ]ms");
        assertThat(LogMetrics.of("Custom Value:8 ms", verbose, List.of("V")).values())
                .containsExactly(new LogValue("V", OptionalInt.empty(), 8));
        assertThat(LogMetrics.of("nothing", one, List.of("V")).findings())
                .containsExactly("The pattern fits nowhere in the log.");
        assertThat(LogMetrics.of("Custom Pattern:  1.2.3", one, List.of("V")).findings())
                .containsExactly("V has no number: \"1.2.3\".");
    }

    /// Each of these takes a backtracking matcher longer than the age of the universe, or overflows its stack.
    @Test
    void catastrophicPatternsEnd() {
        String log = "a".repeat(50_000) + "!";
        for (String pattern : List.of("(a+)+$", "(a|aa)+$", "(.*)*x", "((a*)*)*b")) {
            assertThat(LogMetrics.of(log, LogPattern.parse(pattern), List.of("V")).values()).isEmpty();
        }
        assertThatThrownBy(() -> LogPattern.parse("(?<=a)(b)")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("The pattern is no regular expression without look-around: ");
    }

    @Test
    void logsThatAreNoTextAreReadAsFarAsTheyGo() throws IOException {
        Path log = folder.resolve("b.log");
        byte[] bytes = "\0\377\376Median TTFT (ms): 5\r\nBenchmark with concurrency 3 done"
                .getBytes(StandardCharsets.ISO_8859_1);
        Files.write(log, bytes);
        assertThat(LogMetrics.read(log, "disagg").values())
                .containsExactly(new LogValue("SERVER_MEDIAN_TTFT", OptionalInt.of(3), 5));
        assertThatThrownBy(() -> LogMetrics.read(folder.resolve("gone"), "disagg")).isInstanceOf(IOException.class)
                .hasMessageEndingWith("gone: no such log.");
    }
}
