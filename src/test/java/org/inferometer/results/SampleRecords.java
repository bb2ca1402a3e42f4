package org.inferometer.results;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.options.Selection;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.Metric;
import org.inferometer.record.Phase;
import org.inferometer.record.RecordSink;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SamplePlans;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.record.TelemetrySample;
import org.inferometer.record.Verdict;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.Slice;
import org.inferometer.units.Seed;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.WorkloadSpec;

/// Made-up experiments that look like measured ones: two engines under two schedulers, drawn from a seed.
public final class SampleRecords {
    public static final Instant STARTED = Instant.parse("2026-11-21T14:15:03Z");
    public static final MachineDescription MACHINE = new MachineDescription("Linux 6.1", "amd64",
            "Example CPU, 8 cores", 4, 8, 16L << 30, "OpenJDK 25", 512, List.of(), "0.1.0",
            new MachineDescription.Environment("performance", "-XX:+UseZGC", "590.1", "1980 MHz", 0.02));
    public static final WorkloadSpec WORKLOAD = new WorkloadSpec("short", LengthDistribution.parse("64"),
            LengthDistribution.parse("1..20"), null, 0, ArrivalProcess.parse("poisson:rate=4.0"), 60, 0);

    private SampleRecords() {}

    public static ExperimentSpec spec(int runs) {
        return new ExperimentSpec("quick", List.of("tiny-fp8", "tiny-int4"),
                List.of(Selection.of("naive"), Selection.parse("continuous:chunk=64")), List.of(WORKLOAD),
                Selection.parse("host:threads=2"), runs, 4, 42, 100, 0, ExperimentSpec.AskedLimits.DEFAULTS);
    }

    public static RunPlan plan(ExperimentSpec spec, int cell, int repetition, Path folder) {
        int run = repetition * spec.cells().size() + cell;
        Cell of = spec.cells().get(cell);
        return SamplePlans.plan("2026-11-21_141503_quick", run, cell, of, repetition,
                "/home/measurer/engines/" + of.subject().model().orElse(""), folder.resolve(folderName(run)).toString(),
                4, 42 + repetition, 100, 1 << 20, new Limits(8, 256, 2048), LaneLayout.sharing(2));
    }

    public static String folderName(int run) {
        return String.format(Locale.ROOT, "run-%03d", run);
    }

    public static RunManifest manifest(RunPlan plan, RunStatus status) {
        String engine = plan.cell().subject().model().orElse("");
        return new RunManifest(RunManifest.FORMAT_VERSION, plan, MACHINE,
                new RunManifest.SystemUnderTest("in-process engine", "host, 2 threads", "tiny",
                        engine.endsWith("fp8") ? "fp8" : "int4", true,
                        new RunManifest.Pools(2, 16, List.of(128), 4096, List.of(1, 1), true)),
                "9f2c4d", STARTED,
                new RunManifest.RunOutcome(status, status == RunStatus.FAILED ? "The engine stopped." : "", 0,
                        status == RunStatus.COMPLETE ? VALID : null));
    }

    public static final Verdict VALID = new Verdict(Verdict.Grade.VALID,
            List.of(new Verdict.Condition(Verdict.Requirement.PUNCTUAL_SENDS, "send lateness p99 within 1 ms",
                    Verdict.State.MET, "0.2 ms", ""),
                    new Verdict.Condition(Verdict.Requirement.OTHER, "generator CPU below its ceiling",
                            Verdict.State.NOT_CHECKED, "no selfcheck yet", "Run selfcheck.")));

    /// Requests 0 to n-1, the first four of the warm-up; every tenth has no tokens and failed.
    public static List<RequestOutcome> requests(int n, long seed, double speed) {
        RandomGenerator random = new Seed(seed).generator();
        List<RequestOutcome> requests = new ArrayList<>();
        long intended = 0;
        for (int i = 0; i < n; i++) {
            intended += (long) (-Math.log(1 - random.nextDouble()) * 250e6);
            boolean failed = i % 10 == 9;
            int output = failed ? 0 : random.nextInt(1, 21);
            long sent = intended + random.nextInt(200_000);
            long admitted = sent + (long) (random.nextInt(2_000_000) / speed);
            long[] tokens = new long[output];
            long at = admitted + (long) (20e6 * (0.5 + random.nextDouble()) / speed);
            for (int t = 0; t < output; t++) {
                tokens[t] = at;
                at += (long) (8e6 * Math.exp(0.4 * random.nextGaussian()) / speed);
            }
            requests.add(new RequestOutcome(new RequestId(i), i < 4, 64, Math.max(output, 1), intended, sent,
                    failed ? RequestOutcome.ABSENT : admitted, failed ? RequestOutcome.ABSENT : admitted + 1000,
                    output == 0 ? sent + 1000 : tokens[output - 1] + 5_000,
                    failed ? RequestStatus.FAILED : RequestStatus.OK,
                    failed ? "Refused, \"politely\", by the ünïcode test." : "", tokens));
        }
        return requests;
    }

    private static StepSlices slices(int step) {
        List<Slice> slices = new ArrayList<>();
        for (int request = 0; request < 3; request++) {
            slices.add(new Slice(new RequestId(request), 20 + step / 2, 1));
        }
        if (step % 5 == 0) {
            slices.add(new Slice(new RequestId(100 + step), 0, 64));
        }
        return StepSlices.of(slices);
    }

    public static List<StepReport> steps(int n) {
        List<StepReport> steps = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            long start = i * 10_000_000L;
            steps.add(new StepReport(i, new LaneId(i % 2), start, start + 8_000_000, 7_000_000, 50_000, slices(i),
                    i % 5 == 0 ? 64 : 0, 3, 1, i % 7 == 3 ? 4096 : 0, 3 + i % 4, i % 7, 20 + i % 30,
                    i % 5 == 0 ? "prefill of new requests" : "decode"));
        }
        return steps;
    }

    public static List<TelemetrySample> telemetry(int n) {
        List<TelemetrySample> samples = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            long mib = 1L << 20;
            long[] owners = {300 * mib, (40 + i % 10) * mib, 25 * mib, 10 * mib, 60 * mib, (30 + i % 3) * mib};
            long total = 0;
            for (long owner : owners) {
                total += owner;
            }
            samples.add(new TelemetrySample(i * 100_000_000L, owners, total, i * 150_000_000L, 60 * mib, i / 10,
                    i / 10 * 3L, i % 2 == 0 ? null : new TelemetrySample.GpuSample(0, 5e9, 71.5, Double.NaN, 1234.5,
                            1980, 55, 0, Double.NaN, Double.NaN)));
        }
        return samples;
    }

    public static List<RunEvent> events() {
        return List.of(new RunEvent.PhaseStarted(-5, Phase.WARM_UP, 3, 0),
                new RunEvent.Admitted(100_000_000L, new RequestId(3), new LaneId(1), false, 0),
                new RunEvent.Preempted(900_000_000L, new RequestId(3), 7),
                new RunEvent.PhaseStarted(1_000_000_000L, Phase.MEASURE, 60, 0),
                new RunEvent.Admitted(1_500_000_000L, new RequestId(11), new LaneId(0), false, 48),
                new RunEvent.Preempted(2_000_000_000L, new RequestId(11), 37),
                new RunEvent.Admitted(2_100_000_000L, new RequestId(11), new LaneId(1), true, 16));
    }

    /// Writes one run into its folder and closes it.
    public static void writeRun(ResultFiles files, Path folder, RunPlan plan, RunStatus status, int requests)
            throws IOException {
        double speed = plan.cell().subject().system().equals("naive") ? 1 : 1.6;
        try (RecordSink sink = files.openRun(folder, manifest(plan, RunStatus.RUNNING))) {
            for (RequestOutcome request : requests(requests, plan.procedure().workloadSeed() * 31 + plan.index().cell(),
                    speed)) {
                sink.request(request);
            }
            for (StepReport step : steps(200)) {
                sink.step(step);
            }
            for (TelemetrySample sample : telemetry(50)) {
                sink.telemetry(sample);
            }
            for (RunEvent event : events()) {
                sink.event(event);
            }
            sink.flush();
            if (status != RunStatus.RUNNING) {
                sink.manifest(manifest(plan, status));
            }
        }
    }

    /// Writes an experiment of four cells and the given number of runs a cell.
    public static ExperimentManifest writeExperiment(Path folder, int runs) throws IOException {
        ExperimentManifest manifest = experiment(folder, runs);
        try (ResultFiles files = new ResultFiles()) {
            for (RunPlan plan : manifest.plan()) {
                writeRun(files, folder.resolve(folderName(plan.index().run())), plan, RunStatus.COMPLETE, 60);
            }
            files.saveExperiment(folder, manifest);
        }
        return manifest;
    }

    /// An experiment that has not ended a run.
    public static ExperimentManifest running(String id, ExperimentSpec spec, List<RunPlan> plans, Instant started) {
        return new ExperimentManifest(ExperimentManifest.FORMAT_VERSION, id, spec, plans, MACHINE,
                ExperimentManifest.ExperimentTimes.startedAt(started), ExperimentManifest.ExperimentOutcome.RUNNING,
                false);
    }

    public static ExperimentManifest experiment(Path folder, int runs) {
        ExperimentSpec spec = spec(runs);
        List<RunPlan> plans = new ArrayList<>();
        for (int repetition = 0; repetition < runs; repetition++) {
            for (int cell = 0; cell < spec.cells().size(); cell++) {
                plans.add(plan(spec, cell, repetition, folder));
            }
        }
        List<ExperimentManifest.CellSummary> cells = new ArrayList<>();
        for (int cell = 0; cell < spec.cells().size(); cell++) {
            Cell of = spec.cells().get(cell);
            cells.add(new ExperimentManifest.CellSummary(cell, of, "tiny",
                    of.subject().model().orElse("").endsWith("fp8") ? "fp8" : "int4", runs, figures(runs, cell)));
        }
        return new ExperimentManifest(ExperimentManifest.FORMAT_VERSION, "2026-11-21_141503_quick", spec, plans,
                MACHINE, new ExperimentManifest.ExperimentTimes(STARTED, STARTED.plusSeconds(20), null),
                new ExperimentManifest.ExperimentOutcome(RunStatus.COMPLETE, "", cells, VALID), false);
    }

    private static List<CellFigure> figures(int runs, int cell) {
        double faster = 1 + 0.3 * (cell % 2) + 0.05 * (cell / 2);
        return List.of(
                figure("request_throughput", "Request throughput", Metric.Unit.PER_SECOND_REQUESTS,
                        Metric.Better.HIGHER, 4.05 * faster, runs, 60),
                figure("output_throughput", "Output throughput", Metric.Unit.PER_SECOND_TOKENS, Metric.Better.HIGHER,
                        451.23 * faster, runs, 600),
                figure("ttft_p50", "TTFT P50", Metric.Unit.NANOSECONDS, Metric.Better.LOWER, 21.4e6 / faster, runs, 60),
                figure("ttft_p95", "TTFT P95", Metric.Unit.NANOSECONDS, Metric.Better.LOWER, 48.9e6 / faster, runs, 60),
                figure("itl_p50", "ITL P50", Metric.Unit.NANOSECONDS, Metric.Better.LOWER, 7.9e6 / faster, runs, 540),
                figure("itl_p95", "ITL P95", Metric.Unit.NANOSECONDS, Metric.Better.LOWER, 14.2e6 / faster, runs, 540),
                figure("e2e_mean", "E2E latency mean", Metric.Unit.NANOSECONDS, Metric.Better.LOWER, 123.4e6 / faster,
                        runs, 60),
                figure("e2e_p95", "E2E latency P95", Metric.Unit.NANOSECONDS, Metric.Better.LOWER, 245.6e6 / faster,
                        runs, 60),
                figure("e2e_p99", "E2E latency P99", Metric.Unit.NANOSECONDS, Metric.Better.LOWER, 1267.8e6 / faster,
                        runs, 60),
                figure("memory_peak_total", "Memory peak", Metric.Unit.BYTES, Metric.Better.LOWER,
                        476.0 * (1 << 20) + cell * 1e6, runs, 50),
                figure("lane_utilisation", "Lane utilisation", Metric.Unit.FRACTION, Metric.Better.HIGHER,
                        0.80 + 0.03 * cell, runs, 200));
    }

    /// Run values spread by 1 % around the mean; e2e_p99 has too few samples.
    public static CellFigure figure(String id, String label, Metric.Unit unit, Metric.Better better, double mean,
            int runs, long n) {
        List<Double> values = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            values.add(mean * (1 + 0.01 * (run - (runs - 1) / 2.0)));
        }
        Double halfWidth = runs < 2 ? null : mean * 0.0248;
        return new CellFigure(new Metric(id, label, unit, better, "definition of " + id), mean, halfWidth, values,
                n * runs, n, !id.equals("e2e_p99"));
    }

    /// An experiment whose texts name a user, a machine, addresses and paths.
    public static void writeWithSecrets(Path experiment) throws IOException {
        ExperimentManifest manifest = experiment(experiment, 1);
        try (ResultFiles files = new ResultFiles()) {
            for (RunPlan plan : manifest.plan()) {
                try (RecordSink sink = files.openRun(experiment.resolve(folderName(plan.index().run())),
                        manifest(plan, RunStatus.RUNNING))) {
                    steps(5).forEach(step -> uncheck(() -> sink.step(step)));
                    sink.event(new RunEvent.TargetMessage(5, "measurer on lab-box-7"));
                    sink.event(new RunEvent.RequestText(6, new RequestId(0), "a private prompt", "a private answer"));
                    sink.request(new RequestOutcome(new RequestId(0), false, 1, 1, 0, 0, 0, 0, 0, RequestStatus.FAILED,
                            "No answer from http://10.0.0.3:8000/v1 for anna@lab-box-7, see /home/measurer/log.txt",
                            new long[0]));
                    sink.manifest(manifest(plan, RunStatus.FAILED));
                }
            }
            files.saveExperiment(experiment, manifest);
        }
    }

    private interface Writing {
        void run() throws IOException;
    }

    private static void uncheck(Writing writing) {
        try {
            writing.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
