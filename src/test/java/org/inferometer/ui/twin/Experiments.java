package org.inferometer.ui.twin;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.measurement.verdict.ExperimentSummary;
import org.inferometer.options.Selection;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.ExperimentRecord.ReaderNote;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.Metric;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SamplePlans;
import org.inferometer.record.Verdict;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// Specifications, manifests and records with plausible numbers.
public final class Experiments {
    /// A short load.
    public static final WorkloadSpec SHORT = new WorkloadSpec("short", new LengthDistribution.FixedLength(64),
            new LengthDistribution.FixedLength(64), null, 0, new ArrivalProcess.Poisson(4), 24, 0);
    /// A chat load.
    public static final WorkloadSpec CHAT = new WorkloadSpec("chat",
            new LengthDistribution.LognormalLength(120, 0.9, 8, 1024),
            new LengthDistribution.LognormalLength(100, 0.7, 4, 512), null, 0, new ArrivalProcess.ClosedLoop(8), 50, 0);
    /// Two engines under two schedulers, one run each.
    public static final ExperimentSpec QUICK = new ExperimentSpec("quick", List.of("tiny-fp8", "tiny-int4"),
            List.of(Selection.of("naive"), Selection.of("continuous")), List.of(SHORT), Selection.of("host"), 1, 4, 1,
            100, 0, ExperimentSpec.AskedLimits.DEFAULTS);
    /// Every scheduler of the program under one load.
    public static final ExperimentSpec SCHEDULERS = new ExperimentSpec("schedulers", List.of("tiny-int4"),
            SchedulerRegistry.standard().names().stream().map(Selection::of).toList(), List.of(SHORT),
            Selection.of("host"), 1, 4, 1, 100, 0, ExperimentSpec.AskedLimits.DEFAULTS);
    /// Two engines, one with a long name, under three schedulers at three rates: 18 cells.
    public static final ExperimentSpec SWEEP = new ExperimentSpec("rates-of-eighteen-cells-in-all",
            List.of("tiny-fp8", "a-model-of-thirty-letters-int4"),
            List.of(Selection.of("naive"), Selection.of("dynamic"), Selection.of("continuous")),
            IntStream.of(2, 4, 16)
                    .mapToObj(rate -> SHORT.withName("short-r" + rate).withArrivals(new ArrivalProcess.Poisson(rate)))
                    .toList(),
            Selection.of("host"), 3, 4, 1, 100, 0, ExperimentSpec.AskedLimits.DEFAULTS);
    /// Where it was measured.
    public static final MachineDescription MACHINE = new MachineDescription("Linux 6.1", "amd64",
            "Intel Xeon Platinum 8481C", 2, 4, 24L << 30, "25.0.3+9", 512, List.of(), "0.1.0");

    private Experiments() {}

    /// The plan of a specification, repetitions outermost.
    public static List<RunPlan> plan(String id, ExperimentSpec spec) {
        List<RunPlan> plans = new ArrayList<>();
        for (int repetition = 0; repetition < spec.runs(); repetition++) {
            for (int cell = 0; cell < spec.cells().size(); cell++) {
                plans.add(SamplePlans.plan(id, plans.size(), cell, spec.cells().get(cell), repetition, "",
                        "run-" + plans.size(), spec.warmUpRequests(), spec.seed() + repetition,
                        spec.sampleEveryMillis(), 1 << 26, new Limits(16, 512, 256), LaneLayout.sharing(1)));
            }
        }
        return plans;
    }

    /// A manifest as the service would write it.
    public static ExperimentManifest manifest(String id, ExperimentSpec spec, RunStatus status,
            Verdict.@Nullable Grade grade, Instant started) {
        List<RunPlan> plan = plan(id, spec);
        boolean over = status != RunStatus.RUNNING;
        List<CellSummary> cells = new ArrayList<>();
        for (int i = 0; over && i < spec.cells().size(); i++) {
            Cell cell = spec.cells().get(i);
            cells.add(new CellSummary(i, cell, "tiny",
                    SamplePlans.engine(cell).engine().endsWith("int4") ? "int4" : "fp8", spec.runs(),
                    figures(i, spec.runs()).stream()
                            .map(figure -> figure.withSeeds(LongStream.range(0, spec.runs()).boxed().toList()))
                            .toList()));
        }
        return new ExperimentManifest(ExperimentManifest.FORMAT_VERSION, id, spec, plan, MACHINE,
                new ExperimentManifest.ExperimentTimes(started, over ? started.plusSeconds(19) : null, null),
                new ExperimentManifest.ExperimentOutcome(status, "", cells, grade == null ? null : verdict(grade)),
                false);
    }

    /// A verdict with one condition of each state that its grade allows.
    public static Verdict verdict(Verdict.Grade grade) {
        Verdict.State repetitions = grade == Verdict.Grade.PREVIEW ? Verdict.State.TOO_LITTLE : Verdict.State.MET;
        Verdict.State lateness = grade == Verdict.Grade.INVALID ? Verdict.State.BROKEN : Verdict.State.MET;
        return new Verdict(grade,
                List.of(new Verdict.Condition(Verdict.Requirement.PUNCTUAL_SENDS, "Send lateness p99 within 1 ms",
                        lateness, lateness == Verdict.State.MET ? "0.21 ms" : "4.8 ms",
                        lateness == Verdict.State.MET ? "" : "Close other programs or lower the rate."),
                        new Verdict.Condition(Verdict.Requirement.NO_FAILURES, "No failed requests", Verdict.State.MET,
                                "0 of 96", ""),
                        new Verdict.Condition(Verdict.Requirement.REPEATED_RUNS, "At least 3 runs a cell", repetitions,
                                "1", repetitions == Verdict.State.MET ? "" : "Run 3 more."),
                        new Verdict.Condition(Verdict.Requirement.GENERATOR_CEILING, "Generator below its ceiling",
                                Verdict.State.NOT_CHECKED, "", "Run selfcheck once on this machine.")));
    }

    /// A record without observations.
    public static ExperimentRecord record(Path folder, ExperimentManifest manifest, List<String> notes) {
        List<RunRecord> runs = manifest.plan().stream().map(plan -> runRecord(plan, manifest)).toList();
        return new ExperimentRecord(folder, manifest, runs,
                notes.stream().map(note -> new ReaderNote(null, note)).toList());
    }

    /// A record of every scheduler, run in virtual time over pools that are too small for all.
    public static ExperimentRecord virtual(Path folder) {
        ExperimentManifest manifest = manifest("2026-11-21_101500_schedulers", SCHEDULERS, RunStatus.COMPLETE,
                Verdict.Grade.PREVIEW, Instant.parse("2026-11-21T10:15:00Z"));
        List<RunRecord> runs = manifest.plan().stream()
                .map(plan -> SampledRuns.of(VirtualRuns.run(runRecord(plan, manifest), 60, 64))).toList();
        return new ExperimentRecord(folder, manifest, runs, List.of());
    }

    /// Three runs of naive and of continuous in virtual time, with the figures of these runs: a pair to compare.
    public static ExperimentRecord paired(Path folder, String id) {
        ExperimentSpec spec = new ExperimentSpec("paired", List.of("tiny-int4"),
                List.of(Selection.of("naive"), Selection.of("continuous")), List.of(SHORT), Selection.of("host"), 3, 4,
                1, 100, 0, ExperimentSpec.AskedLimits.DEFAULTS);
        ExperimentManifest planned = manifest(id, spec, RunStatus.RUNNING, null, Instant.parse("2026-11-22T08:00:00Z"));
        List<RunRecord> runs =
                planned.plan().stream().map(plan -> VirtualRuns.run(runRecord(plan, planned), 60, 64)).toList();
        return new ExperimentRecord(folder,
                ExperimentSummary.ended(planned, runs, RunStatus.COMPLETE, "", Instant.parse("2026-11-22T08:05:00Z")),
                runs, List.of());
    }

    /// A run's record without observations.
    public static RunRecord runRecord(RunPlan plan, ExperimentManifest manifest) {
        RunManifest run = new RunManifest(RunManifest.FORMAT_VERSION, plan, MACHINE,
                new RunManifest.SystemUnderTest("in-process engine", "host, 2 threads", "tiny",
                        SamplePlans.engine(plan.cell()).engine().endsWith("int4") ? "int4" : "fp8", true,
                        new RunManifest.Pools(1, 16, List.of(512), 4096, List.of(), false)),
                "abc", manifest.times().started(),
                new RunManifest.RunOutcome(RunStatus.COMPLETE, "", 0, verdict(Verdict.Grade.VALID)));
        return new RunRecord("run-" + plan.index().run(), run,
                new RunObservations(List.of(), List.of(), List.of(), new RunObservations.Setup(1, 16, 2, 512)),
                List.of());
    }

    private static List<CellFigure> figures(int cell, int runs) {
        double rate = new double[]{212, 655, 348, 1043}[cell % 4] * (1 + 0.04 * (cell / 4));
        return List.of(
                figure("output_throughput", "Output throughput", Metric.Unit.PER_SECOND_TOKENS, Metric.Better.HIGHER,
                        rate, runs, 1536, true),
                figure("ttft_p50", "TTFT P50", Metric.Unit.NANOSECONDS, Metric.Better.LOWER, 4.2e10 / rate, runs, 24,
                        true),
                figure("itl_p50", "ITL P50", Metric.Unit.NANOSECONDS, Metric.Better.LOWER, 3.1e9 / rate, runs, 1512,
                        true),
                figure("interactivity_p50", "Interactivity P50", Metric.Unit.PER_SECOND_TOKENS, Metric.Better.HIGHER,
                        rate / 3.1, runs, 24, true),
                memory("weights", "Weights", 15 + cell % 2 * 6, runs), memory("kv_cache", "KV cache", 3 + cell, runs),
                memory("activations", "Activations", 2, runs), memory("java_runtime", "Java runtime", 180, runs));
    }

    private static CellFigure memory(String id, String label, double mebibytes, int runs) {
        return figure("memory_peak_" + id, label + " peak", Metric.Unit.BYTES, Metric.Better.LOWER,
                mebibytes * (1 << 20), runs, 100, true);
    }

    private static CellFigure figure(String id, String label, Metric.Unit unit, Metric.Better better, double value,
            int runs, long n, boolean enough) {
        List<Double> values = new ArrayList<>();
        // A part of the spread is common to the runs of a seed, a part is their own. Bytes do not vary.
        double own = unit == Metric.Unit.BYTES ? 0 : 0.006;
        for (int i = 0; i < runs; i++) {
            values.add(value * (1 + 0.01 * (i - 1) + own * Math.sin(value + 2 * i)));
        }
        return new CellFigure(new Metric(id, label, unit, better, label), value, runs > 1 ? value * 0.021 : null,
                values, n, n / runs, enough);
    }
}
