package org.inferometer.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.measurement.Metrics;
import org.inferometer.options.Selection;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Metric;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.results.SampleRecords;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;

/// A made-up experiment of schedulers under several numbers of requests.
public final class SuiteRecords {
    private SuiteRecords() {}

    public static ExperimentRecord of(List<String> schedulers, List<Integer> sizes, int runs) {
        return under(schedulers, sizes.stream().map(SuiteRecords::workload).toList(), runs);
    }

    /// The same under any loads.
    public static ExperimentRecord under(List<String> schedulers, List<WorkloadSpec> workloads, int runs) {
        ExperimentSpec spec = new ExperimentSpec("schedulers", List.of("tiny-int4"),
                schedulers.stream().map(Selection::parse).toList(), workloads, Selection.of("host"), runs, 4, 42, 100,
                0, ExperimentSpec.AskedLimits.DEFAULTS);
        List<RunPlan> plans = new ArrayList<>();
        List<RunRecord> records = new ArrayList<>();
        List<CellSummary> cells = new ArrayList<>();
        for (int cell = 0; cell < spec.cells().size(); cell++) {
            Cell of = spec.cells().get(cell);
            double faster = 1 + 0.4 * schedulers.indexOf(of.subject().system());
            cells.add(new CellSummary(cell, of, "tiny", "int4", runs, figures(of, faster, runs)));
            for (int repetition = 0; repetition < runs; repetition++) {
                RunPlan plan = SampleRecords.plan(spec, cell, repetition, Path.of("x"));
                plans.add(plan);
                records.add(new RunRecord(SampleRecords.folderName(plan.index().run()),
                        SampleRecords.manifest(plan, RunStatus.COMPLETE),
                        new RunObservations(
                                SampleRecords.requests(of.workload().requests() + 4, 7 + repetition, faster),
                                SampleRecords.steps(200), List.of(), new RunObservations.Setup(2, 8, 8, 128)),
                        List.of()));
            }
        }
        ExperimentManifest manifest = new ExperimentManifest(ExperimentManifest.FORMAT_VERSION,
                "2026-11-21_141503_schedulers", spec, plans, SampleRecords.MACHINE,
                new ExperimentManifest.ExperimentTimes(SampleRecords.STARTED, SampleRecords.STARTED.plusSeconds(20),
                        null),
                new ExperimentManifest.ExperimentOutcome(RunStatus.COMPLETE, "", cells, SampleRecords.VALID), false);
        return new ExperimentRecord(Path.of("x"), manifest, records, List.of());
    }

    private static WorkloadSpec workload(int requests) {
        WorkloadSpec mixed = new WorkloadPresets().find("mixed-medium");
        return new WorkloadSpec("mixed-" + requests, mixed.promptTokens(), mixed.outputTokens(), null, 0,
                mixed.arrivals(), requests, 0);
    }

    private static List<CellFigure> figures(Cell cell, double faster, int runs) {
        int n = cell.workload().requests();
        return List.of(figure("window", 1e9 * n / (10 * faster), runs, n),
                figure("request_throughput", 10 * faster, runs, n), figure("output_throughput", 200 * faster, runs, n),
                figure("e2e_mean", 500e6 / faster, runs, n), figure("e2e_p50", 450e6 / faster, runs, n),
                figure("e2e_p95", 900e6 / faster, runs, n), figure("e2e_p99", 990e6 / faster, runs, n),
                figure("engine_queue_mean", 200e6 / faster, runs, n),
                figure("batch_efficiency", cell.subject().system().equals("naive") ? 0.6 : 1, runs, n),
                figure("memory_peak_total", 400 << 20, runs, n));
    }

    private static CellFigure figure(String id, double mean, int runs, long n) {
        Metric metric = Metrics.find(id).orElseThrow();
        return SampleRecords.figure(id, metric.label(), metric.unit(), metric.better(), mean, runs, n);
    }
}
