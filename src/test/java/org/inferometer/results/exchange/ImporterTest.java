package org.inferometer.results.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.SampleRecords;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImporterTest {
    private static final Instant NOW = Instant.parse("2026-11-21T14:15:03Z");

    @TempDir
    Path folder = Path.of("");

    private ExperimentRecord imported(String name, String content) throws IOException {
        Files.writeString(folder.resolve(name), content);
        Importer.Imported imported =
                new Importer(folder.resolve("results")).read(folder.resolve(name), Optional.empty(), NOW);
        assertThat(Files.readString(imported.folder().resolve("source." + name.replaceAll(".*\\.", ""))))
                .isEqualTo(content);
        return new ResultLibrary(folder.resolve("results")).open(imported.folder());
    }

    @Test
    void everyFormatHasASampleAndARow() throws IOException {
        Set<String> sampled = new LinkedHashSet<>();
        for (Map.Entry<String, String> sample : ForeignSamples.all().entrySet()) {
            Path file = Files.writeString(folder.resolve(sample.getKey()), sample.getValue());
            sampled.add(new Importer(folder.resolve("results")).read(file, Optional.empty(), NOW).format());
        }
        assertThat(sampled).containsExactlyElementsOf(Importer.formats());
        assertThat(Files.readAllLines(Path.of("docs/exchange.md")).stream().filter(line -> line.startsWith("| `"))
                .map(line -> line.split("`", 3)[1])).containsExactlyElementsOf(Importer.formats());
    }

    private static double figure(CellSummary cell, String id) {
        return found(cell, id).orElseThrow(() -> new AssertionError(id + " is not among " + cell.figures())).mean();
    }

    private static Optional<CellFigure> found(CellSummary cell, String id) {
        return cell.figures().stream().filter(figure -> figure.metric().id().equals(id)).findFirst();
    }

    private static long[] millis(RequestOutcome request) {
        return Arrays.stream(request.eventNanos()).map(nanos -> nanos / 1_000_000).toArray();
    }

    /// Sent at 0, 500 and 750 ms; first tokens after 50 and 100 ms; the last at 600 + 20 = 620 ms. Two requests, 5 tokens in 0.62 s.
    @Test
    void vllmsArraysBecomeRequestsAndFiguresOfOurs() throws IOException {
        ExperimentRecord record = imported("v.json", ForeignSamples.VLLM);
        List<RequestOutcome> requests = record.runs().getFirst().observations().requests();
        assertThat(millis(requests.get(0))).containsExactly(50, 60, 90);
        assertThat(millis(requests.get(1))).containsExactly(600, 620);
        assertThat(requests.get(2).status()).isEqualTo(RequestStatus.FAILED);
        assertThat(requests.get(2).reason()).isEqualTo("ConnectionError: refused");
        CellSummary cell = record.manifest().cells().getFirst();
        assertThat(figure(cell, "service_ttft_mean")).isCloseTo(75e6, within(1.0));
        assertThat(figure(cell, "output_throughput")).isCloseTo(5 / 0.62, within(1e-6));
        assertThat(figure(cell, "requests_failed")).isEqualTo(1);
        assertThat(found(cell, "ttft_mean")).isEmpty();
        assertThat(cell.cell().label()).isEqualTo("org/model · vllm · chat");
        assertThat(record.runs().getFirst().manifest().system().target()).isEqualTo("imported from vLLM");
        assertThat(record.manifest().status()).isEqualTo(RunStatus.COMPLETE);
        assertThat(record.runs().getFirst().notes())
                .contains("Settings in the file: endpoint_type openai, tokenizer_id org/model, num_prompts 3,"
                        + " request_rate inf, burstiness 1.0, max_concurrency 2.");
    }

    @Test
    void aRateThatTheToolOfferedSetsItsThroughput() throws IOException {
        String atRate = ForeignSamples.VLLM.replace("\"request_rate\": \"inf\"", "\"request_rate\": 4.0");
        assertThat(atRate).isNotEqualTo(ForeignSamples.VLLM);
        assertThat(found(imported("r.json", atRate).manifest().cells().getFirst(), "output_throughput"))
                .hasValueSatisfying(figure -> assertThat(figure.setByLoad()).isTrue());
        assertThat(found(imported("v.json", ForeignSamples.VLLM).manifest().cells().getFirst(), "output_throughput"))
                .hasValueSatisfying(figure -> assertThat(figure.setByLoad()).isFalse());
    }

    /// Dates as the tools write them: when vLLM saved, seconds and nanoseconds of the wall clock, text with and without a zone.
    @Test
    void runsStartWhenTheirFilesSayAndNotWhenTheyAreImported() throws IOException {
        ExperimentRecord vllm = imported("v.json", ForeignSamples.VLLM);
        assertThat(vllm.manifest().times().start()).contains(Instant.parse("2026-11-21T10:14:58.5Z"));
        assertThat(vllm.manifest().times().imported()).isEqualTo(NOW);
        assertThat(vllm.runs().getFirst().manifest().anchorWall()).isEqualTo(Instant.parse("2026-11-21T10:14:58.5Z"));
        assertThat(vllm.runs().getFirst().notes()).contains("The start is the date of saving minus the duration.",
                "The date has no time zone and is read as UTC.");
        assertThat(imported("a.jsonl", ForeignSamples.AIPERF).manifest().times().start())
                .contains(Instant.ofEpochSecond(1763720100));
        String summary = ForeignSamples.AIPERF_SUMMARY.replace("\"schema_version\"",
                "\"start_time\": \"2026-11-20T09:00:00.250000\", \"schema_version\"");
        assertThat(imported("a.json", summary).manifest().times().start())
                .contains(Instant.parse("2026-11-20T09:00:00.250Z"));
        String wall = ForeignSamples.GUIDELLM.replace("100.", "1763720100.").replace("101.", "1763720101.");
        assertThat(imported("g.json", wall).manifest().times().start()).contains(Instant.ofEpochSecond(1763720100));
        String tests = ForeignSamples.LLAMA_BENCH.replace("\"n_gen\": 0",
                "\"test_time\": \"2026-07-06T10:00:00Z\", \"n_gen\": 0");
        assertThat(imported("l.json", tests).manifest().times().start())
                .contains(Instant.parse("2026-07-06T10:00:00Z"));
    }

    @Test
    void fileWithoutADateHasNoStart() throws IOException {
        for (Map.Entry<String, String> sample : ForeignSamples.all().entrySet()) {
            ExperimentRecord record = imported(sample.getKey(),
                    sample.getValue().replaceAll("\"(date|start)\": \"[^\"]*\", ", "").replace("1763720100", "1"));
            assertThat(record.manifest().times().start()).as(sample.getKey()).isEmpty();
            assertThat(record.manifest().times().imported()).isEqualTo(NOW);
            assertThat(record.runs()).allMatch(run -> run.manifest().anchorWall() == null);
        }
    }

    @Test
    void exportsNameTheModelSoThatItComesBackAndTheEngineBesideIt() throws IOException {
        SampleRecords.writeExperiment(folder.resolve("2026-11-21_quick"), 1);
        ExperimentRecord ours = new ResultLibrary(folder).open(folder.resolve("2026-11-21_quick"));
        RunRecord run = ours.runs().getFirst();
        for (String word : List.of("vllm", "sglang", "guidellm", "trtllm-bench")) {
            RunRecord answered = word.equals("trtllm-bench") ? withoutFailures(run) : run;
            String written = Exporter.of(answered, word);
            assertThat(imported(word + ".json", written).runs().getFirst().manifest().system().model()).as(word)
                    .isEqualTo(run.manifest().system().model()).isEqualTo("tiny");
            assertThat(written.contains("tiny-fp8")).as(word + " has a place for the engine")
                    .isEqualTo(!word.equals("guidellm"));
        }
    }

    private static RunRecord withoutFailures(RunRecord run) {
        RunObservations seen = run.observations();
        return new RunRecord(run.folderName(), run.manifest(),
                new RunObservations(seen.requests().stream().filter(RequestOutcome::ok).toList(), List.of(), List.of(),
                        seen.setup(), run.events()),
                run.notes());
    }

    @Test
    void queueTimesOfNewerVllmFilesGiveTheIntendedInstant() throws IOException {
        ExperimentRecord record = imported("v.json",
                ForeignSamples.VLLM.replace("\"errors\"", "\"queue_times\": [0.0, 0.25, 0.5], \"errors\""));
        assertThat(figure(record.manifest().cells().getFirst(), "ttft_mean")).isCloseTo((50e6 + 350e6) / 2,
                within(1.0));
    }

    @Test
    void summariesKeepEquivalentFiguresAndNoteNoRecomputation() throws IOException {
        ExperimentRecord record = imported("v.json", ForeignSamples.VLLM_SUMMARY);
        CellSummary cell = record.manifest().cells().getFirst();
        assertThat(figure(cell, "service_ttft_p50")).isEqualTo(75e6);
        assertThat(figure(cell, "inter_chunk_p99")).isEqualTo(30e6);
        assertThat(figure(cell, "request_throughput")).isEqualTo(1.3333);
        assertThat(record.runs().getFirst().notes()).anyMatch(note -> note.contains("cannot be recomputed"));
        assertThat(record.runs().getFirst().observations().requests()).isEmpty();
    }

    @Test
    void sglangsLinesAreRunsOfOneCell() throws IOException {
        ExperimentRecord record = imported("s.jsonl", ForeignSamples.SGLANG);
        CellSummary cell = record.manifest().cells().getFirst();
        assertThat(record.manifest().cells()).hasSize(1);
        assertThat(found(cell, "request_throughput").orElseThrow().runValues()).containsExactly(4.0, 5.0);
        assertThat(figure(cell, "service_ttft_mean")).isEqualTo(45e6);
        assertThat(cell.figures()).noneMatch(
                figure -> figure.metric().id().startsWith("e2e") || figure.metric().id().startsWith("service_e2e"));
    }

    @Test
    void runsPerCellCountRepetitionsNotBenchmarks() throws IOException {
        String one = ForeignSamples.GUIDELLM.replaceAll("(?s)^.*\"benchmarks\": \\[|\\]\\}\\s*$", "");
        String four =
                IntStream.of(1, 2, 4, 8).mapToObj(streams -> one.replace("\"streams\": 2", "\"streams\": " + streams))
                        .collect(Collectors.joining(", "));
        ExperimentManifest sweep = imported("g.json",
                "{\"metadata\": {\"version\": 2, \"guidellm_version\": \"0.5\"}, \"benchmarks\": [" + four + "]}")
                .manifest();
        assertThat(List.of(sweep.cells().size(), sweep.plan().size(), sweep.spec().runs())).containsExactly(4, 4, 1);
        ExperimentManifest repeated = imported("s.jsonl", ForeignSamples.SGLANG).manifest();
        assertThat(List.of(repeated.cells().size(), repeated.plan().size(), repeated.spec().runs())).containsExactly(1,
                2, 2);
    }

    @Test
    void aiperfsRecordsKeepEveryChunkAndTheReasonOfAFailure() throws IOException {
        ExperimentRecord record = imported("profile_export.jsonl", ForeignSamples.AIPERF);
        List<RequestOutcome> requests = record.runs().getFirst().observations().requests();
        assertThat(millis(requests.getFirst())).containsExactly(50, 100, 200);
        assertThat(requests.getFirst().outputTokens()).isEqualTo(4);
        assertThat(requests.getFirst().endNanos()).isEqualTo(200_000_001);
        assertThat(requests.get(1).sentNanos()).isEqualTo(100_000_000);
        assertThat(requests.get(1).reason()).isEqualTo("server broke");
        assertThat(figure(record.manifest().cells().getFirst(), "inter_chunk_mean")).isEqualTo(75e6);
    }

    private static RequestOutcome aiperf(int id, long sentMillis, long endMillis, RequestStatus status, String reason,
            int asked, int tokens) {
        return new RequestOutcome(new RequestId(id), false, 12, asked, RequestOutcome.ABSENT, sentMillis * 1_000_000,
                RequestOutcome.ABSENT, RequestOutcome.ABSENT, endMillis * 1_000_000, status, reason, new long[0],
                tokens, TokenSource.CLIENT_TOKENIZER);
    }

    /// Without streaming AIPerf measures no time to first token. The end is the latency's, where there is one.
    @Test
    void unstreamedAiperfAnswersAreOkWithoutFirstToken() throws IOException {
        ExperimentRecord record = imported("profile_export.jsonl", ForeignSamples.AIPERF_UNSTREAMED);
        assertThat(record.runs().getFirst().observations().requests()).usingRecursiveFieldByFieldElementComparator()
                .containsExactly(aiperf(0, 0, 200, RequestStatus.OK, "", 4, 4),
                        aiperf(1, 100, 400, RequestStatus.OK, "", 6, 6),
                        aiperf(2, 200, 300, RequestStatus.OK, "", 0, 0),
                        aiperf(3, 300, 310, RequestStatus.FAILED, "500", 0, 0),
                        aiperf(4, 400, 400, RequestStatus.FAILED, "The file gives no reason.", 0, 0));
        CellSummary cell = record.manifest().cells().getFirst();
        assertThat(figure(cell, "service_e2e_mean")).isEqualTo((200e6 + 300e6) / 2);
        assertThat(figure(cell, "output_throughput")).isEqualTo(10 / 0.4);
        assertThat(figure(cell, "requests_ok")).isEqualTo(3);
        assertThat(cell.figures())
                .noneMatch(figure -> figure.metric().id().matches("(service_ttft|tpot|inter_chunk|itl)_.*"));
        assertThat(record.runs().getFirst().notes()).contains(
                "2 of 5 requests were not streamed and have no TTFT and no ITL.",
                "1 of 5 requests ended ok without a counted token. Latencies and token rates exclude them.");
    }

    @Test
    void aiperfsSummaryIsReadWithItsUnitsAndUnknownMetricsAreNamed() throws IOException {
        ExperimentRecord record = imported("profile_export_aiperf.json", ForeignSamples.AIPERF_SUMMARY);
        CellSummary cell = record.manifest().cells().getFirst();
        assertThat(figure(cell, "service_e2e_mean")).isEqualTo(1.5e9);
        assertThat(figure(cell, "tpot_p99")).isEqualTo(15e6);
        assertThat(figure(cell, "output_throughput")).isEqualTo(321);
        assertThat(record.runs().getFirst().notes()).anyMatch(note -> note.contains("brand_new_metric"));
    }

    /// Targeted at 100, sent at 100.25, first token at 100.5, last at 101 of 5 tokens: TTFT 500 ms, service TTFT 250 ms, TPOT 125 ms.
    @Test
    void guideLlmsTimingsGiveBothClocksAndNoGaps() throws IOException {
        ExperimentRecord record = imported("benchmarks.json", ForeignSamples.GUIDELLM);
        CellSummary cell = record.manifest().cells().getFirst();
        assertThat(figure(cell, "ttft_mean")).isEqualTo(500e6);
        assertThat(figure(cell, "service_ttft_mean")).isEqualTo(250e6);
        assertThat(figure(cell, "tpot_mean")).isEqualTo(125e6);
        assertThat(found(cell, "inter_chunk_mean")).isEmpty();
        assertThat(record.runs().getFirst().observations().requests().get(1).reason()).isEqualTo("timed out");
        assertThat(cell.cell().workload().name()).isEqualTo("concurrent 2");
    }

    @Test
    void llamaBenchsSamplesAreRunsWithAnInterval() throws IOException {
        ExperimentRecord record = imported("bench.json", ForeignSamples.LLAMA_BENCH);
        List<CellSummary> cells = record.manifest().cells();
        assertThat(cells).extracting(cell -> cell.cell().workload().name()).containsExactly("pp512", "tg128");
        assertThat(found(cells.get(1), "output_throughput").orElseThrow().runValues()).containsExactly(19.0, 20.0,
                21.0);
        assertThat(found(cells.get(0), "output_throughput")).isEmpty();
        assertThat(figure(cells.get(0), "total_throughput")).isEqualTo(100);
        assertThat(record.runs().getFirst().notes()).anyMatch(note -> note.contains("brand_new"));
    }

    @Test
    void llamaBenchsTableHasOneRunATest() throws IOException {
        CellSummary cell = imported("bench.csv", ForeignSamples.LLAMA_BENCH_CSV).manifest().cells().getFirst();
        assertThat(figure(cell, "output_throughput")).isEqualTo(20);
        assertThat(cell.cell().subject().model()).contains("seven_new");
    }

    @Test
    void trtllmBenchGivesItsRates() throws IOException {
        CellSummary cell = imported("report.json", ForeignSamples.TRTLLM).manifest().cells().getFirst();
        assertThat(figure(cell, "output_throughput")).isEqualTo(5000);
        assertThat(figure(cell, "service_ttft_mean")).isEqualTo(20e6);
        assertThat(found(cell, "tpot_mean")).isEmpty();
    }

    @Test
    void tablesOfBenchmarkScriptsAreCellsToCompare() throws IOException {
        List<CellSummary> cells = imported("benchmark_results.json", ForeignSamples.RESULTS).manifest().cells();
        assertThat(cells).extracting(cell -> cell.cell().subject().model().orElseThrow()).containsExactly("fp8",
                "int4");
        assertThat(figure(cells.get(0), "prefill_latency_mean")).isEqualTo(45.2e6);
        assertThat(figure(cells.get(1), "memory_mean_total")).isEqualTo(5123.0 * (1 << 20));
        List<CellSummary> schedulers = imported("benchmark_summaries.csv", ForeignSamples.SUMMARIES).manifest().cells();
        assertThat(schedulers).extracting(cell -> cell.cell().subject().system()).containsExactly("naive", "dynamic");
        assertThat(found(schedulers.getFirst(), "request_throughput").orElseThrow().runValues()).containsExactly(4.05,
                4.15);
        assertThat(figure(schedulers.get(1), "service_e2e_p95")).isEqualTo(298e6);
    }

    @Test
    void twoImportsInOneSecondGetFoldersOfTheirOwn() throws IOException {
        assertThat(imported("a.json", ForeignSamples.TRTLLM).folder())
                .isNotEqualTo(imported("b.json", ForeignSamples.TRTLLM).folder());
        assertThat(new ResultLibrary(folder.resolve("results")).list()).hasSize(2)
                .allMatch(entry -> entry.problem().isEmpty());
    }

    @Test
    void aResultIsSeenOnlyOnceItIsWhole() throws IOException {
        Path results = folder.resolve("results");
        Path made = imported("a.json", ForeignSamples.TRTLLM).folder();
        try (Stream<Path> all = Files.list(results)) {
            assertThat(all).containsExactly(made);
        }
    }

    @Test
    void tooManyCombinationsAreRefusedBeforeTheyAreBuilt() throws IOException {
        assertRefused(IntStream.range(0, 400)
                .mapToObj(i -> "{\"name\": \"m" + i + "_w" + i + "\", \"prefill_ms\": 1, \"decode_ms\": 2}")
                .collect(Collectors.joining(",", "[", "]")), "400 runs in 160000 combinations");
    }

    private void assertRefused(String content, String... said) throws IOException {
        Path file = folder.resolve("hostile.json");
        Files.writeString(file, content);
        assertThatThrownBy(() -> new Importer(folder.resolve("results")).read(file, Optional.empty(), NOW))
                .isInstanceOf(ResultFormatException.class).hasMessageContainingAll(said).message().doesNotContain("\n")
                .hasSizeLessThan(600);
        assertThat(folder.resolve("results")).doesNotExist();
    }

    @Test
    void hostileFilesAreRefusedWithOneSentence() throws IOException {
        assertRefused("", "the format is not supported");
        assertRefused("{}", "the format is not supported");
        assertRefused(ForeignSamples.VLLM.substring(0, 700), "not a result in JSON");
        assertRefused("[".repeat(5000), "not a result in JSON", "nesting");
        assertRefused("{\"total_output_tokens\": 1" + "0".repeat(500) + "}", "not a result in JSON");
        assertRefused(ForeignSamples.VLLM.replace("\"failed\": 1", "\"failed\": 1, \"failed\": 2"),
                "not a result in JSON", "uplicate");
        assertRefused(ForeignSamples.VLLM.replace("[3, 2, 0]", "[3, 2]"), "different lengths");
        assertRefused(ForeignSamples.VLLM.replace("0.05", "-0.05"), "ttfts is -0.05, not a duration");
        assertRefused(ForeignSamples.VLLM.replace("0.05", "1e300"), "not a duration");
        assertRefused(ForeignSamples.VLLM.replace("0.05", "NaN"), "not a finite number");
        assertRefused(ForeignSamples.VLLM.replace("[10, 20, 5]", "[10, 20, 1e18]"), "not a count");
        assertRefused(ForeignSamples.GUIDELLM.replace("\"version\": 2", "\"version\": 3"),
                "metadata.version is 3 and this program reads 2");
        assertRefused(ForeignSamples.AIPERF_SUMMARY.replace("\"1.5\"", "\"2.0\""), "schema_version is 2.0");
        assertRefused("scheduler,request_size,latency\nnaive,50,0.1\n", "Import the benchmark_summaries.csv beside it");
        assertRefused("n_prompt,n_gen,avg_ts\n1,2\n", "the row has 2 fields where the header has 3");
        assertRefused("n_prompt,n_gen,avg_ts\n\"1,2,3\n", "the row has 1 fields where the header has 3");
    }

    @Test
    void veryLongStringsAreRefusedBeforeTheyTakeMemory() throws IOException {
        assertRefused("{\"total_output_tokens\": \"" + "x".repeat(17 << 20) + "\"}", "not a result in JSON");
    }

    @Test
    void missingFilesAndFoldersAreOneSentence() {
        Importer importer = new Importer(folder.resolve("results"));
        assertThatThrownBy(() -> importer.read(folder.resolve("none.json"), Optional.empty(), NOW))
                .hasMessageEndingWith("the file does not exist.");
        assertThatThrownBy(() -> importer.read(folder, Optional.empty(), NOW))
                .hasMessageContaining("not a regular file");
    }
}
