package org.inferometer.cli;

import java.util.List;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SamplePlans;
import org.inferometer.record.Verdict;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.workload.WorkloadPresets;

/// Small records that several tests share.
public final class Samples {
    public static final MachineDescription MACHINE =
            new MachineDescription("Linux", "amd64", "Example CPU", 2, 4, 8L << 30, "Java 25", 512, List.of(), "0.1.0");
    public static final Verdict PREVIEW = new Verdict(Verdict.Grade.PREVIEW,
            List.of(new Verdict.Condition(Verdict.Requirement.PUNCTUAL_SENDS, "send lateness p99 within 1 ms",
                    Verdict.State.MET, "0.2 ms", ""),
                    new Verdict.Condition(Verdict.Requirement.REPEATED_RUNS, "at least 3 runs a cell",
                            Verdict.State.TOO_LITTLE, "1 run", "Run it again with --runs 3."),
                    new Verdict.Condition(Verdict.Requirement.OTHER, "generator CPU below its ceiling",
                            Verdict.State.NOT_CHECKED, "no self-check yet", "")));
    public static final Verdict VALID =
            new Verdict(Verdict.Grade.VALID, List.of(new Verdict.Condition(Verdict.Requirement.PUNCTUAL_SENDS,
                    "send lateness p99 within 1 ms", Verdict.State.MET, "0.2 ms", "")));

    /// The YAML file of [#oneCell] with one run.
    public static final String ONE_CELL = """
            name: one
            engines: [tiny-fp8]
            schedulers: [naive]
            workloads: [basic]
            runs: 1
            warmup: 2
            """;

    private Samples() {}

    public static ExperimentSpec oneCell(int runs) {
        return new ExperimentSpec("one", List.of("tiny-fp8"), List.of(Selection.of("naive")),
                List.of(new WorkloadPresets().find("basic")), Selection.of("host"), runs, 2, 42, 100, 0,
                ExperimentSpec.AskedLimits.DEFAULTS);
    }

    public static List<RunPlan> plan(ExperimentSpec spec) {
        Cell cell = spec.cells().getFirst();
        return java.util.stream.IntStream.range(0, spec.runs())
                .mapToObj(run -> SamplePlans.plan("2026-11-21_141503_" + spec.name(), run, 0, cell, run,
                        "engines/tiny-fp8", "run-" + run, spec.warmUpRequests(), 7, 100, 1 << 20,
                        new Limits(8, 512, 128), LaneLayout.sharing(1)))
                .toList();
    }

    /// The manifest of an experiment that ended, with a summary of its first cell.
    public static ExperimentManifest manifest(ExperimentSpec spec, RunStatus status, String failure, Verdict verdict) {
        List<CellSummary> cells = failure.isEmpty()
                ? List.of(new CellSummary(0, spec.cells().getFirst(), "tiny", "fp8", spec.runs(), List.of()))
                : List.of();
        return new ExperimentManifest(ExperimentManifest.FORMAT_VERSION, "2026-11-21_141503_" + spec.name(), spec,
                plan(spec), MACHINE,
                new ExperimentManifest.ExperimentTimes(FakeClock.START, FakeClock.START.plusSeconds(41), null),
                new ExperimentManifest.ExperimentOutcome(status, failure, cells, verdict), false);
    }

    /// The recipe of an engine that is built in milliseconds.
    static String recipe(String precision) {
        return """
                model: tiny
                precision: %s
                seed: 42
                shape:
                  family: llama
                  layers: 2
                  hidden: 256
                  intermediate: 512
                  heads: 4
                  kv_heads: 2
                  head_dim: 64
                  vocabulary: 512
                  max_positions: 1024
                  tied_head: true
                  norm_epsilon: 1.0e-5
                  rope_theta: 10000.0
                """.formatted(precision);
    }
}
