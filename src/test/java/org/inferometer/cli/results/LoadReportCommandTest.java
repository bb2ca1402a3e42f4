package org.inferometer.cli.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.inferometer.cli.CliFixture;
import org.inferometer.cli.Samples;
import org.inferometer.measurement.RepeatedPromptsTest;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RecordSink;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.report.LoadReport;
import org.inferometer.results.ResultFiles;
import org.inferometer.results.SampleRecords;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// `results show --profile`.
class LoadReportCommandTest {
    private static final long MS = 1_000_000L;
    private final CliFixture cli;
    private final Path folder;

    LoadReportCommandTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        cli = new CliFixture(folder);
        ExperimentManifest manifest = Samples.manifest(Samples.oneCell(2), RunStatus.COMPLETE, "", Samples.VALID);
        cli.save("one", manifest);
        for (int number = 0; number < 2; number++) {
            RunManifest run = new RunManifest(RunManifest.FORMAT_VERSION, manifest.plan().get(number), Samples.MACHINE,
                    new RunManifest.SystemUnderTest("in-process engine", "host", "tiny", "fp8", true,
                            new RunManifest.Pools(1, 16, List.of(64), 4096, List.of(), false)),
                    "9f", Instant.EPOCH, new RunManifest.RunOutcome(RunStatus.COMPLETE, "", 0, Samples.VALID));
            try (ResultFiles files = new ResultFiles();
                    RecordSink sink = files.openRun(cli.results().resolve("one").resolve("run-" + number), run)) {
                for (RequestOutcome request : requests(number)) {
                    sink.request(request);
                }
            }
        }
    }

    /// Four requests of 10 prompt tokens, ten ms a token; the fourth of run 1 waits 300 ms; one that failed.
    private static List<RequestOutcome> requests(int run) {
        List<RequestOutcome> ok = IntStream.range(0, 4)
                .mapToObj(i -> request(i, 10 + 10 * i, 20L * i, 20 * i + (run == 1 && i == 3 ? 300 : 0))).toList();
        RequestOutcome failed =
                new RequestOutcome(new RequestId(4), false, 10, 10, 100 * MS, 100 * MS, RequestOutcome.ABSENT,
                        RequestOutcome.ABSENT, 130 * MS, RequestStatus.FAILED, "Connection refused.", new long[0]);
        return run == 0 ? ok : Stream.concat(ok.stream(), Stream.of(failed)).toList();
    }

    private static RequestOutcome request(int id, int prompt, long sent, long admitted) {
        long[] tokens = LongStream.rangeClosed(1, 10).map(i -> (admitted + 10 * i) * MS).toArray();
        return new RequestOutcome(new RequestId(id), false, prompt, 10, sent * MS, sent * MS, admitted * MS,
                admitted * MS, tokens[9], RequestStatus.OK, "", tokens);
    }

    @Test
    void loadAndSlowestRequestsAreShown() {
        CliFixture.Outcome shown = cli.run("results", "show", "one", "--profile");
        assertThat(shown).isEqualTo(new CliFixture.Outcome(0, """
                tiny-fp8 · naive · basic (2 runs, 0.62 s)
                  Requests            9: 8 ok, 1 failed
                  Not completed       1 × Connection refused
                  Answers             as many tokens as asked; the model's end of sequence is ignored
                  Arrivals            asked: Closed loop, 8 in flight; sent 43.8 req/s; at most 4 in flight
                  Gaps between sends  P50 20.0 ms, P95 34.0 ms, coefficient of variation 0.33 (n = 7)
                  Shared prefix       none; prompts are drawn independently
                  TOKENS             N  SUM  MIN  P50  MEAN  P95  MAX  HISTOGRAM
                  prompt (as asked)  9  210   10   20  23.3   40   40  █  ▆  ▆  ▆
                  output asked       9   90   10   10    10   10   10  all equal
                  output received    9   80    0   10   8.9   10   10  ▁        █

                HISTOGRAM: requests in ten bins of equal width from min to max.

                All 8 ok requests, the slowest first, by E2E latency
                RUN  REQUEST  AT s  PROMPT  OUTPUT  QUEUE ms  TTFT ms  TPOT ms  GAP MAX ms  E2E ms  E2E/P50
                  1        3  0.06      40      10    300.00   310.00    10.00       10.00  400.00     4.00
                     Waited 300 ms (75 % of E2E) in the queue.
                  0        0  0.00      10      10      0.00    10.00    10.00       10.00  100.00     1.00
                     Not unusual in its run; its decode took 90.0 ms (90 % of E2E).
                  0        1  0.02      20      10      0.00    10.00    10.00       10.00  100.00     1.00
                     Not unusual in its run.
                  0        2  0.04      30      10      0.00    10.00    10.00       10.00  100.00     1.00
                     Not unusual in its run.
                  0        3  0.06      40      10      0.00    10.00    10.00       10.00  100.00     1.00
                     Long prompt: 40 tokens, the longest of its run (median 25); its prefill took 10.0 ms (10 % of E2E).
                  1        0  0.00      10      10      0.00    10.00    10.00       10.00  100.00     1.00
                     Not unusual in its run.
                  1        1  0.02      20      10      0.00    10.00    10.00       10.00  100.00     1.00
                     Not unusual in its run.
                  1        2  0.04      30      10      0.00    10.00    10.00       10.00  100.00     1.00
                     Not unusual in its run.
                AT: when it was due, since measuring began. GAP MAX: longest time between two outputs. E2E/P50: over the
                median of its run. "–": not recorded.
                """, ""));
    }

    @Test
    void oneRunIsShownByItsNumber() {
        String out = cli.run("results", "show", "one", "--profile", "--run", "0").out();
        assertThat(out.lines().limit(2)).containsExactly("tiny-fp8 · naive · basic (run 0, 0.16 s)",
                "  Requests            4, all ok");
        assertThat(out).contains("All 4 ok requests, the slowest first, by E2E latency\n").doesNotContain("failed");
        assertThat(cli.run("results", "show", "one", "--profile", "--run", "9").err())
                .isEqualTo("error: Unknown run 9. Valid: 0, 1.\n");
        assertThat(cli.run("results", "show", "one", "--run", "1").err()).isEqualTo("error: --run needs --profile.\n");
    }

    @Test
    void jsonHoldsTheSame() {
        JsonNode json = new JsonMapper().readTree(cli.run("results", "show", "one", "--profile", "--json").out());
        JsonNode cell = json.path("cells").path(0);
        assertThat(cell.path("profile").path("ends").path("reasons").toString())
                .isEqualTo("{\"Connection refused\":1}");
        assertThat(cell.path("profile").path("arrivals").toString()).isEqualTo("""
                {"gaps":7,"requestsPerSecond":43.75,"gapP50Millis":20.0,"gapP95Millis":34.0,\
                "gapVariation":0.33071891388307384,"mostInFlight":4}""");
        assertThat(json.path("slowest").path(0).toString()).isEqualTo("""
                {"run":1,"request":3,"atSeconds":0.06,"promptTokens":40,"outputTokens":10,"queueMillis":300.0,\
                "ttftMillis":310.0,"tpotMillis":10.0,"longestGapMillis":10.0,"e2eMillis":400.0,"e2eToMedian":4.0,\
                "reasons":[{"rule":"queue","shareOfE2e":0.75,"evidence":"Waited 300 ms (75 % of E2E) in the queue."}],\
                "why":"Waited 300 ms (75 % of E2E) in the queue."}""");
        assertThat(json.path("slowest").size()).isEqualTo(8);
    }

    @Test
    void promptsThatAServerGotBeforeAreCounted() {
        WorkloadSpec file = new WorkloadPresets().find("short").withPromptFile("prompts.txt");
        List<RunRecord> runs = IntStream.range(0, 2)
                .mapToObj(run -> RepeatedPromptsTest.run(run, 0, "http:url=http://a", file, 2, 9, 9, 9)).toList();
        ExperimentRecord all = new ExperimentRecord(folder, SampleRecords.experiment(folder, 1), runs, List.of());
        assertThat(LoadReport.of(all, runs).text(120)).contains(
                "  Repeated prompts    4 of 6 requests had a prompt that their server got before in this experiment\n");
        ExperimentRecord second = new ExperimentRecord(folder, all.manifest(), runs.subList(1, 2), List.of());
        assertThat(LoadReport.of(second, runs).cells()).extracting(LoadReport.CellLoad::repeatedPrompts)
                .containsExactly(3L);
    }

    @Test
    void damagedRecordIsOneSentence() throws IOException {
        Path requests = cli.results().resolve("one").resolve("run-1").resolve("requests.csv");
        Files.writeString(requests, Files.readString(requests).replace(",ok,", ",fine,"));
        assertThat(cli.run("results", "show", "one", "--profile").out())
                .startsWith("tiny-fp8 · naive · basic (run 0, 0.16 s)\n")
                .endsWith("\nNotes\n  Run run-1 was skipped. requests.csv:2: \"fine\" is no request status.\n");
    }

    @Test
    void importedResultNamesWhatIsMissing() throws IOException {
        Path file = folder.resolve("vllm.json");
        Files.writeString(file, """
                {"date": "20261121-101500", "endpoint_type": "openai", "backend": "vllm", "model_id": "org/model",
                 "num_prompts": 3, "request_rate": "inf", "burstiness": 1.0, "max_concurrency": 2, "duration": 1.5,
                 "completed": 2, "failed": 1, "total_input_tokens": 30, "total_output_tokens": 5,
                 "request_throughput": 1.3333, "output_throughput": 3.3333, "mean_ttft_ms": 75.0,
                 "input_lens": [10, 20, 5], "output_lens": [3, 2, 0], "start_times": [1000.5, 1001.0, 1001.25],
                 "ttfts": [0.05, 0.1, 0.0], "itls": [[0.01, 0.03], [0.02], []], "generated_texts": ["a", "b", ""],
                 "errors": ["", "", "ConnectionError: refused"]}
                """);
        assertThat(profileOfImport(file)).startsWith("""
                org/model · vllm · serve (run 0, 0.62 s)
                  Requests            3: 2 ok, 1 failed
                  Not completed       1 × ConnectionError: refused
                  Arrivals            asked: Closed loop, 2 in flight; sent 2.67 req/s; at most 1 in flight
                  Gaps between sends  P50 375 ms, P95 488 ms, coefficient of variation 0.47 (n = 2)
                  Shared prefix       not known
                  Not recorded        intended send times, queue, prompt lengths as asked, output lengths as asked
                  TOKENS  N  SUM  MIN  P50  MEAN  P95  MAX  HISTOGRAM
                  prompt  3   35    5   10  11.7   19   20  █  █     █
                  output  3    5    0    2   1.7  2.9    3  █     █  █

                HISTOGRAM: requests in ten bins of equal width from min to max.

                All 2 ok requests, the slowest first, by E2E latency
                RUN  REQUEST  AT s  PROMPT  OUTPUT  QUEUE ms  TTFT ms  TPOT ms  GAP MAX ms  E2E ms  E2E/P50
                  0        1  0.50      20       2         –   100.00    20.00       20.00  120.00     1.14
                     Not unusual in its run; the first token came 100 ms (83 % of E2E) after sending.
                  0        0  0.00      10       3         –    50.00    20.00       30.00   90.00     0.86
                     Not unusual in its run.
                AT: when it was due, since measuring began. GAP MAX: longest time between two outputs. E2E/P50: over the
                median of its run. "–": not recorded. Without intended send times, AT, TTFT and E2E count from sending.

                Notes
                """);
    }

    @Test
    void importedFiguresHaveNoRequests() throws IOException {
        Path file = folder.resolve("report.json");
        Files.writeString(file, """
                {"engine": {"model": "org/model"}, "request_info": {"num_requests": 10},
                 "performance": {"request_throughput_req_s": 5.0, "system_output_throughput_tok_s": 50.0}}
                """);
        assertThat(profileOfImport(file)).startsWith("""
                org/model · TensorRT-LLM · bench (run 0)
                  Not recorded  single requests

                Without single requests there are no lengths, arrivals and slowest requests.

                Notes
                  run-000: Imported from trtllm-bench. The conditions of a verdict were not measured.
                  run-000: The file is a summary; its figures cannot be recomputed.
                """);
    }

    private String profileOfImport(Path file) {
        String imported = cli.run("import", file.toString()).out();
        return cli.run("results", "show", imported.substring(0, imported.indexOf(':')), "--profile").out();
    }
}
