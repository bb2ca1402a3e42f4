package org.inferometer.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.inferometer.cli.CliFixture;
import org.inferometer.cli.Samples;
import org.inferometer.cli.Terminal;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.experiment.PrecisionTarget;
import org.inferometer.experiment.Presets;
import org.inferometer.options.Selection;
import org.inferometer.record.Phase;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.SchedulerLanes;
import org.inferometer.run.WorkerFrame;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RunCommandTest {
    private static final String PRESETS =
            new Presets().all().stream().map(preset -> preset.spec().name()).collect(Collectors.joining(", "));
    private final CliFixture cli;
    private final String spec;

    RunCommandTest(@TempDir Path folder) {
        cli = new CliFixture(folder);
        spec = cli.write("spec.yaml", Samples.ONE_CELL);
    }

    @Test
    void percentSignsInHelpAreText() {
        CommandSpec spec = CommandSpec.create();
        RunOptions.addTo(spec);
        PrintStream errors = System.err;
        ByteArrayOutputStream heard = new ByteArrayOutputStream();
        System.setErr(new PrintStream(heard, true, StandardCharsets.UTF_8));
        try {
            assertThat(new CommandLine(spec).getUsageMessage()).contains("as in 10%;").doesNotContain("%%");
        } finally {
            System.setErr(errors);
        }
        assertThat(heard.toString(StandardCharsets.UTF_8)).doesNotContain("WARN");
    }

    @Test
    void runPrintsTablesVerdictAndFolder() throws IOException {
        cli.benchmarks.verdict = Samples.PREVIEW;
        CliFixture.Outcome outcome = cli.run("run", spec);
        assertThat(outcome.exit()).isZero();
        assertThat(outcome.out()).isEqualTo("""
                2026-11-21_141503_one  complete, 0 of 1 run complete, started 2026-11-21 14:15:03 UTC, took 00:41

                Verdict: PREVIEW. Too few runs, requests or seconds for a verdict. Conditions: 1 met, 1 not enough, 1 not checked.

                %s
                Notes
                  Run run-0 is missing.

                Conditions that are not met or not checked
                  Not enough   at least 3 runs a cell (1 run). Run it again with --runs 3.
                  Not checked  generator CPU below its ceiling (no self-check yet)

                Result: results/2026-11-21_141503_one
                """.formatted(cli.reports().summary(cli.open("2026-11-21_141503_one"), Terminal.USUAL_COLUMNS)));
        assertThat(outcome.err()).isEqualTo("1 run, 48 measured requests. Ctrl+C stops and keeps the measurements.\n"
                + "Weights 15.0 MiB, KV pool 64.0 MiB, machine memory 8.00 GiB.\n");
    }

    @Test
    void enginesSchedulersAndBackendsMayBeListed() {
        assertThat(cli.run("run", "--engine", "tiny-int4,tiny-fp8", "--scheduler",
                "naive:batch_size=8,batch_timeout=1,dynamic", "--scheduler", "continuous", "--backend",
                "host:threads=1,host:threads=2").exit()).isZero();
        ExperimentSpec listed = cli.benchmarks.started.getFirst();
        assertThat(listed.engines()).containsExactly("tiny-int4", "tiny-fp8");
        assertThat(listed.schedulers()).map(Selection::toString).containsExactly("naive:batch_size=8,batch_timeout=1",
                "dynamic", "continuous");
        assertThat(listed.backends()).map(Selection::toString).containsExactly("host:threads=1", "host:threads=2");
    }

    @Test
    void waitingIsSaidAndEndsWithTheOtherExperimentOrItsTime() {
        String other = "Another experiment is running on this machine (process 7, since 10:03).";
        cli.benchmarks.busy.add(other);
        CliFixture.Outcome free = cli.run("run", "--wait", spec);
        assertThat(free.exit()).isZero();
        assertThat(free.err()).contains("Waiting. " + other + "\n");
        cli.benchmarks.busy.add(other);
        CliFixture.Outcome refused = cli.run("run", spec);
        assertThat(refused.exit()).isEqualTo(3);
        assertThat(refused.err()).endsWith("error: " + other + " --wait begins when the machine is free.\n");
        cli.benchmarks.busy.addAll(Collections.nCopies(100, other));
        CliFixture.Outcome late = cli.run("run", spec, "--wait=0");
        assertThat(late.exit()).isEqualTo(3);
        assertThat(late.err()).endsWith("error: " + other + " --wait=0 has passed.\n");
        assertThat(cli.benchmarks.started).hasSize(1);
    }

    @Test
    void progressWithoutTerminalIsPlainLines() {
        cli.benchmarks.script = this::play;
        assertThat(cli.run("run", spec).err()).isEqualTo("""
                1 run, 48 measured requests. Ctrl+C stops and keeps the measurements.
                Weights 15.0 MiB, KV pool 64.0 MiB, machine memory 8.00 GiB.
                building tiny-fp8 (not built yet)
                experiment 2026-11-21_141503_one: 1 run
                run 1 of 1: tiny-fp8 · naive · basic, repetition 1
                  load
                  warm-up: 2 requests
                  measure: 20 requests
                  warning: The samples come late.
                  analyse
                """);
    }

    @Test
    void largeBuildNeedsAnApproval() {
        cli.benchmarks.buildBytes = 2L << 30;
        assertThat(cli.run("run", spec).exit()).isZero();
        cli.benchmarks.buildBytes++;
        cli.benchmarks.started.clear();
        CliFixture.Outcome refused = cli.run("run", spec);
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).endsWith("error: Engines of 2.00 GiB would be built first, and no terminal answers"
                + " whether to. To build them, add --yes.\n");
        assertThat(List.of(answered("\n"), answered("no\n"), answered(""), answered("yesterday\n"))).containsOnly(2);
        assertThat(cli.benchmarks.started).isEmpty();
        assertThat(List.of(cli.run("run", spec, "--yes").exit(), answered("y\n"), answered("Yes\n"))).containsOnly(0);
        assertThat(cli.benchmarks.started).hasSize(3);
    }

    /// The exit code of a run on a terminal where the user types this.
    private int answered(String typed) {
        return cli.onTerminal(typed).execute("run", spec);
    }

    private void play(ExperimentSpec spec, ExperimentListener listener) {
        RunPlan run = Samples.plan(spec).getFirst();
        listener.building("tiny-fp8", 0.1);
        listener.building("tiny-fp8", 0.9);
        listener.started(Samples.manifest(spec, RunStatus.RUNNING, "", Samples.VALID));
        listener.runStarted(run);
        listener.frame(run, new WorkerFrame.PhaseStarted(Phase.LOAD, 0));
        listener.frame(run, new WorkerFrame.PhaseStarted(Phase.WARM_UP, 0));
        listener.frame(run, new WorkerFrame.PhaseStarted(Phase.MEASURE, 0));
        listener.frame(run, new WorkerFrame.Log("info", "Small talk."));
        listener.frame(run, new WorkerFrame.Log("warning", "The samples come late."));
        listener.frame(run, new WorkerFrame.PhaseStarted(Phase.ANALYSE, 0));
        listener.frame(run, new WorkerFrame.Finished(RunStatus.COMPLETE, ""));
    }

    @Test
    void savedExperimentRunsByItsName() {
        CliFixture.Outcome saved = cli.run("run", "quick", "--runs", "5", "--save", "mine");
        assertThat(saved.out()).isEqualTo("Saved as presets/mine.yaml. Run it: inferometer run mine\n");
        assertThat(saved.err()).isEmpty();
        assertThat(cli.benchmarks.started).isEmpty();
        assertThat(cli.run("run", "mine").exit()).isZero();
        ExperimentSpec quick = new Presets().find("quick").named("mine");
        assertThat(cli.benchmarks.started).isEqualTo(List.of(ExperimentFields.RUNS.with(quick, List.of(5))));
        assertThat(cli.run("help", "presets").out())
                .endsWith("Saved in this workspace: mine. To save an experiment under a name, add --save NAME.\n");
        CliFixture.Outcome refused = cli.run("run", "quick", "--save", "sweep");
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("--save sweep: sweep is a preset of the program. Choose another name.");
    }

    @Test
    void jsonIsTheOnlyStandardOutput() {
        cli.benchmarks.script = this::play;
        JsonNode document = new JsonMapper().readTree(cli.run("run", spec, "--json").out());
        assertThat(document.path("path").stringValue()).isEqualTo("results/2026-11-21_141503_one");
        assertThat(document.path("id").stringValue()).isEqualTo("2026-11-21_141503_one");
        assertThat(document.path("verdict").path("grade").stringValue()).isEqualTo("VALID");
        assertThat(document.path("cells").size()).isEqualTo(1);
        assertThat(document.path("spec").path("schedulers").get(0).stringValue()).isEqualTo("naive");
        assertThat(document.propertyNames()).containsExactlyInAnyOrder("path", "formatVersion", "id", "spec", "plan",
                "runFolders", "machine", "startedWall", "endedWall", "importedWall", "status", "failure", "cells",
                "verdict", "shareSafe");
    }

    @Test
    void previewFailsOnlyWithRequireValid() {
        cli.benchmarks.verdict = Samples.PREVIEW;
        assertThat(cli.run("run", "quick").exit()).isZero();
        CliFixture.Outcome outcome = cli.run("run", "quick", "--require-valid");
        assertThat(outcome.exit()).isEqualTo(1);
        assertThat(outcome.err()).endsWith("error: --require-valid: the verdict is PREVIEW, not VALID.\n");
    }

    @Test
    void failedRunExitsWithThreeAndReason() {
        cli.benchmarks.status = RunStatus.FAILED;
        cli.benchmarks.failure = "The worker ended with exit code 137.";
        CliFixture.Outcome outcome = cli.run("run", "quick");
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.err()).endsWith("error: Experiment failed. The worker ended with exit code 137.\n");
    }

    @Test
    void optionsOverrideThePreset() {
        cli.run("run", "quick", "--engine", "tiny-int4", "--scheduler", "naive:batch=8", "--scheduler", "continuous",
                "--workload", "chat", "--backend", "host:threads=2", "--requests", "9", "--rate", "2.5", "--runs", "2",
                "--warmup", "0", "--seed", "-7", "--kv-memory", "64MiB", "--max-length", "256", "--sample-every",
                "20ms", "--out", cli.root.resolve("elsewhere").toString());
        assertThat(cli.onlyStarted()).isEqualTo(new ExperimentSpec("quick", List.of("tiny-int4"),
                List.of(Selection.parse("naive:batch=8"), Selection.of("continuous")),
                List.of(new WorkloadPresets().find("chat").withArrivals(new ArrivalProcess.Poisson(2.5))
                        .withRequests(9)),
                Selection.parse("host:threads=2"), 2, 0, -7, 20, 64 << 20, ExperimentSpec.AskedLimits.of(0, 0, 256)));
        assertThat(cli.resultFolders).containsExactly(cli.root.resolve("elsewhere"));
    }

    @Test
    void runsAreAddedUntilAnIntervalIsNarrow() {
        cli.run("run", "quick", "--until", "output_throughput=2%", "--max-runs", "12");
        assertThat(cli.onlyStarted().until()).isEqualTo(new PrecisionTarget("output_throughput", 0.02));
        assertThat(cli.onlyStarted().looks()).containsExactly(3, 5, 8, 12);
        assertThat(cli.run("run", "quick", "--until", "output_throughput=2").err()).contains("Use METRIC=2%");
    }

    @Test
    void presetRunsUnchangedWithoutOptions() {
        cli.run("run", "sweep");
        assertThat(cli.onlyStarted()).isEqualTo(new Presets().find("sweep"));
    }

    @Test
    void allFaultsAreReportedBeforeStarting() {
        cli.benchmarks.faults = List.of(new PlanFault("engine", "Unknown engine \"tiny-fp9\"."));
        CliFixture.Outcome outcome = cli.run("run", "quick", "--engine", "tiny-fp9", "--workload", "chatt", "--runs",
                "none", "--rate", "0", "--kv-memory", "lots", "--sample-every", "5ms", "--scheduler", "naive:batch");
        assertThat(outcome).isEqualTo(new CliFixture.Outcome(2, "", """
                error: --scheduler: "batch" in "naive:batch" is not an option. Write NAME:option=value,option=value.
                error: --workload: Unknown workload "chatt". Did you mean chat? Valid: short, medium, long, basic, mixed-medium, mixed-large, 1k1k, 8k1k, chat, code, agent, chat-sessions, agent-sessions, prompts:FILE, trace:FILE.
                error: --rate: poisson: rate=0: expected 0.001 to 1000000 requests/s.
                error: --runs: "none" is not a whole number from 1 to 1000.
                error: --sample-every: "5ms" is not a time from 10ms to 1s.
                error: --kv-memory: "lots" is not a size such as 512MiB or 4GiB.
                error: engine: Unknown engine "tiny-fp9".
                """));
        assertThat(cli.benchmarks.started).isEmpty();
    }

    @Test
    void faultsOfAFileHaveLineNumbers() {
        String faulty = cli.write("night.yaml", Samples.ONE_CELL.replace("basic", "basik") + "seeds: 3\n");
        CliFixture.Outcome outcome = cli.run("run", faulty);
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.err().lines()).hasSize(2).anyMatch(line -> line.startsWith("error: night.yaml:4: "))
                .anyMatch(line -> line.startsWith("error: night.yaml:7: "));
    }

    @Test
    void faultsOfAPlanNameTheOptionThatWasGiven() {
        cli.benchmarks.faults =
                List.of(new PlanFault("engines", "Unknown engine."), new PlanFault("limits.max_length", "Too long."));
        assertThat(cli.run("run", "quick", "--engine", "tiny-fp9").err())
                .isEqualTo("error: --engine: Unknown engine.\nerror: limits.max_length: Too long.\n");
    }

    @Test
    void unknownPresetSuggestsTheNearest() {
        assertThat(cli.run("run", "quik"))
                .isEqualTo(new CliFixture.Outcome(2, "", "error: Unknown preset \"quik\". Did you mean quick? Valid: "
                        + PRESETS + ". Experiment files end in .yaml.\n"));
    }

    @Test
    void onlyOneArrivalOptionIsAllowed() {
        assertThat(cli.run("run", "quick", "--rate", "2", "--concurrency", "4").err())
                .isEqualTo("error: --rate: Give only one of --concurrency, --rate: a load has one way to arrive.\n");
    }

    @Test
    void optionThatMakesWorkloadsEqualIsRejected() {
        String alike = cli.write("alike.yaml", Samples.ONE_CELL.replace("[basic]", """

                  - {name: calm, preset: basic, arrivals: "poisson:rate=1"}
                  - {name: busy, preset: basic, arrivals: "poisson:rate=9"}
                """.stripTrailing()));
        assertThat(cli.run("run", alike, "--concurrency", "4").err()).isEqualTo(
                "error: --concurrency: The workloads calm, busy would become the same. Leave the option out, or choose one with --workload.\n");
    }

    @Test
    void durationReplacesPresetRequestsButNotGivenOnes() {
        cli.run("run", "quick", "--workload", "chat", "--duration", "20s");
        WorkloadSpec chat = new WorkloadPresets().find("chat");
        assertThat(cli.onlyStarted().workloads()).containsExactly(
                chat.withRequests(0).withRefinements(chat.refinements().withDuration(20_000_000_000L)));
        cli.benchmarks.started.clear();
        cli.run("run", "quick", "--workload", "chat", "--duration", "20s", "--requests", "500");
        assertThat(cli.onlyStarted().workloads()).containsExactly(
                chat.withRequests(500).withRefinements(chat.refinements().withDuration(20_000_000_000L)));
    }

    @Test
    void eachRequestCountMakesAWorkload() {
        cli.run("run", "quick", "--workload", "chat", "--requests", "25,50", "--requests", "100");
        WorkloadSpec chat = new WorkloadPresets().find("chat");
        assertThat(cli.onlyStarted().workloads()).extracting(WorkloadSpec::name, WorkloadSpec::requests)
                .containsExactly(tuple("chat-25", 25), tuple("chat-50", 50), tuple("chat-100", 100));
        assertThat(cli.onlyStarted().workloads()).extracting(WorkloadSpec::promptTokens)
                .containsOnly(chat.promptTokens());
    }

    @Test
    void countsReplaceThoseOfThePreset() {
        cli.run("run", "schedulers", "--requests", "200,500");
        assertThat(cli.onlyStarted().workloads()).extracting(WorkloadSpec::name, WorkloadSpec::requests)
                .containsExactly(tuple("mixed-200", 200), tuple("mixed-500", 500));
    }

    @Test
    void invalidCountsAndSchedulersAreReported() {
        assertThat(cli.run("run", "quick", "--requests", "25,many", "--requests", "25", "--scheduler", "naive",
                "--scheduler", "naive")).isEqualTo(new CliFixture.Outcome(2, "", """
                        error: --scheduler: naive is given twice. Keep one.
                        error: --requests: "many" is not a whole number from 1 to 10000000.
                        error: --requests: 25 is given twice. Keep one.
                        """));
    }

    @Test
    void baselineOptionWinsAndRemovedBaselineIsReplaced() {
        cli.run("run", "quick", "--baseline", "continuous");
        assertThat(cli.onlyStarted().baselineSystem()).contains("continuous");
        cli.benchmarks.started.clear();
        cli.run("run", cli.write("based.yaml", Samples.ONE_CELL + "baseline: naive\n"), "--scheduler", "simple",
                "--scheduler", "continuous");
        assertThat(cli.onlyStarted().baselineSystem()).contains("simple");
    }

    @Test
    void cellsAndLanesArePrintedBeforeTheRun() {
        cli.benchmarks.lanes = List.of(new SchedulerLanes(Selection.of("naive"), LaneLayout.sharing(1), List.of(2)),
                new SchedulerLanes(Selection.of("simple"), LaneLayout.sharing(1), List.of(2)),
                new SchedulerLanes(Selection.of("continuous"), LaneLayout.sharing(2), List.of(1, 1)));
        assertThat(cli.run("run", "quick").err()).isEqualTo("""
                4 cells (tiny-fp8, tiny-int4 x naive, continuous x quick), 1 run each.
                4 runs, 48 measured requests. Ctrl+C stops and keeps the measurements.
                Lanes: naive, simple on 1 lane of 2 threads; continuous on 2 lanes of 1 thread
                each.
                Weights 15.0 MiB, KV pool 64.0 MiB, machine memory 8.00 GiB.
                """);
    }

    @Test
    void engineAloneIsEnoughToRun() {
        cli.run("run", "--engine", "tiny-fp8");
        assertThat(cli.onlyStarted().engines()).containsExactly("tiny-fp8");
        assertThat(cli.run("run")).isEqualTo(new CliFixture.Outcome(2, "", "error: Nothing to run. Give a preset ("
                + PRESETS + "), a YAML file, --again RESULT, --engine NAME or --target NAME.\n"));
    }

    @Test
    void againRepeatsTheSpecOfAResult() {
        cli.save("one", Samples.manifest(Samples.oneCell(1), RunStatus.COMPLETE, "", Samples.VALID));
        cli.run("run", "--again", "latest", "--runs", "5");
        ExperimentSpec once = Samples.oneCell(1);
        assertThat(cli.onlyStarted()).isEqualTo(new ExperimentSpec(once.name(), once.engines(), once.schedulers(),
                once.workloads(), once.backends().getFirst(), 5, once.warmUpRequests(), once.seed(),
                once.sampleEveryMillis(), 0, once.limits()));
    }

    @Test
    void againstMeasuresTheEarlierCellsInTurnWithTheNew() {
        cli.save("one", Samples.manifest(Samples.oneCell(1), RunStatus.COMPLETE, "", Samples.VALID));
        cli.run("run", "--against", "latest", "--scheduler", "continuous", "--runs", "5");
        assertThat(cli.onlyStarted().schedulers()).extracting(Selection::name).containsExactly("naive", "continuous");
        assertThat(cli.onlyStarted().runs()).isEqualTo(5);
        assertThat(cli.onlyStarted().baselineSystem()).contains("naive");
        assertThat(cli.run("run", "--against", "latest").err())
                .contains("--against latest: Every cell is in the earlier");
    }

    @Test
    void shutdownCancelsAndKeepsTheResult() throws InterruptedException {
        Thread[] shutdown = new Thread[1];
        cli.benchmarks.whileAwaited = () -> {
            shutdown[0] = Thread.ofPlatform().start(cli.shutdownActions.getFirst());
            while (cli.benchmarks.status != RunStatus.CANCELLED) {
                Thread.onSpinWait();
            }
        };
        CliFixture.Outcome outcome = cli.run("run", "quick");
        shutdown[0].join();
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(cli.benchmarks.cancellations).isEqualTo(1);
        assertThat(outcome.err()).contains("stopping; the result is saved in results/2026-11-21_141503_quick\n")
                .endsWith("error: Experiment cancelled.\n");
        assertThat(outcome.out()).endsWith("Result: results/2026-11-21_141503_quick\n");
        assertThat(cli.shutdownActions).isEmpty();
    }
}
