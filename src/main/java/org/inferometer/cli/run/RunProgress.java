package org.inferometer.cli.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.inferometer.cli.ProgressLine;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.RunFigures;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.record.Phase;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.report.AlignedColumns;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.WorkerFrame;
import org.inferometer.units.Clock;
import org.inferometer.units.QuantityText;

/// Prints the progress of an experiment to standard error: one line that is redrawn on a terminal, else a line per phase and run.
///
/// Called on the service's threads.
public final class RunProgress implements ExperimentListener {
    private static final int LONGEST_BAR = 16;
    private static final int SHORTEST_BAR = 6;
    /// Smallest share of the work from which the remaining time is estimated.
    private static final double SMALLEST_ESTIMATED_SHARE = 0.02;

    private final ProgressLine line;
    private final Clock clock;
    private final boolean verbose;
    private List<RunPlan> plan = List.of();
    private Optional<ExperimentSpec> spec = Optional.empty();
    private String buildingEngine = "";
    private long startedNanos;
    private long runStartedNanos;
    private double doneWeight;
    private Phase phase = Phase.LOAD;
    private long phaseStartedNanos;

    /// @param verbose whether info messages of workers are printed, too
    public RunProgress(ProgressLine line, Clock clock, boolean verbose) {
        this.line = line;
        this.clock = clock;
        this.verbose = verbose;
        this.startedNanos = clock.nanos();
    }

    @Override
    public synchronized void building(String engine, double fraction) {
        if (!engine.equals(buildingEngine)) {
            buildingEngine = engine;
            line.print("building " + engine + " (not built yet)");
        }
        line.draw("building " + engine + " " + ProgressLine.bar(fraction, LONGEST_BAR) + percent(fraction));
    }

    @Override
    public synchronized void started(ExperimentManifest manifest) {
        plan = manifest.plan();
        spec = Optional.of(manifest.spec());
        startedNanos = clock.nanos();
        line.print("experiment " + manifest.id() + ": "
                + (plan.isEmpty() ? (manifest.spec().search() ? "search, " : "") + "number of runs not known yet"
                        : count(plan.size(), "run")));
    }

    @Override
    public synchronized void runStarted(RunPlan run) {
        runStartedNanos = clock.nanos();
        phase = Phase.LOAD;
        if (line.isLive()) {
            line.draw(head(run) + " starting");
        } else {
            line.print("run " + (run.index().run() + 1) + (plan.isEmpty() ? "" : " of " + plan.size()) + ": "
                    + label(run) + ", repetition " + (run.index().repetition() + 1));
        }
    }

    @Override
    public synchronized void frame(RunPlan run, WorkerFrame frame) {
        switch (frame) {
            case WorkerFrame.PhaseStarted started -> begin(run, started);
            case WorkerFrame.Live live -> drawLive(run, live);
            case WorkerFrame.Log log -> {
                if (log.level().equals("progress")) {
                    line.print("  " + log.message());
                } else if (verbose || !log.level().equals("info")) {
                    line.print("  " + log.level() + ": " + log.message());
                }
            }
            case WorkerFrame.Finished finished -> {
                if (!finished.failure().isEmpty()) {
                    line.print("  " + finished.status().id() + ": " + finished.failure());
                }
            }
        }
    }

    @Override
    public synchronized void runEnded(RunPlan run, RunRecord record) {
        doneWeight += weight(run);
        String state = record.manifest().status() == RunStatus.COMPLETE ? "done" : record.manifest().status().id();
        String seconds = QuantityText.minutesSeconds((clock.nanos() - runStartedNanos) / 1e9);
        String figures = figures(record.observations());
        String lead = line.isLive() ? head(run) + " " : "  ";
        line.print(lead + state + figures + ", " + seconds);
        record.notes().forEach(note -> line.print("  note: " + note));
    }

    @Override
    public synchronized void ended(ExperimentManifest manifest) {
        line.clear();
    }

    /// From the record, because the last live frame comes before the end.
    private static String figures(RunObservations observations) {
        List<Figure> figures = RunFigures.of(observations);
        List<String> texts = new ArrayList<>();
        value(figures, Metrics.REQUESTS_OK).ifPresent(ok -> texts.add(count((int) ok.value(), "request") + " ok"));
        value(figures, Metrics.OUTPUT_THROUGHPUT).ifPresent(speed -> texts.add(tokensPerSecond(speed.value())));
        return texts.isEmpty() ? "" : ": " + String.join(", ", texts);
    }

    private static Optional<Figure> value(List<Figure> figures, Metric metric) {
        return figures.stream().filter(figure -> figure.metric().equals(metric)).findFirst();
    }

    private void begin(RunPlan run, WorkerFrame.PhaseStarted started) {
        phase = started.phase();
        phaseStartedNanos = started.nanos();
        if (line.isLive()) {
            line.draw(head(run) + " " + phase.label());
            return;
        }
        int measured = run.cell().workload().requests();
        String requests = switch (phase) {
            case WARM_UP -> ": " + count(run.procedure().warmUpRequests(), "request");
            case MEASURE -> measured > 0 ? ": " + count(measured, "request") : "";
            case LOAD, ANALYSE -> "";
        };
        line.print("  " + phase.label() + requests);
    }

    private void drawLive(RunPlan run, WorkerFrame.Live live) {
        double seconds = (live.nanos() - phaseStartedNanos) / 1e9;
        double tokensPerSecond = seconds > 0 ? live.outputTokens() / seconds : 0;
        String lead = lead(run);
        String figures = " " + done(live) + " " + tokensPerSecond(tokensPerSecond) + " "
                + times(run, live.phase(), live.phaseShare());
        String label = label(run);
        int room = ProgressLine.COLUMNS - AlignedColumns.length(lead + " " + live.phase().label() + " []" + figures);
        int bar = Math.clamp(room - AlignedColumns.length(label), SHORTEST_BAR, LONGEST_BAR);
        line.draw(lead + ProgressLine.cut(label, room - bar) + " " + live.phase().label() + " "
                + ProgressLine.bar(live.phaseShare(), bar) + figures);
    }

    private static String done(WorkerFrame.Live live) {
        return live.phaseTotal() > 0 ? live.phaseDone() + "/" + live.phaseTotal() : Integer.toString(live.phaseDone());
    }

    /// Elapsed time, and remaining time at the same speed.
    private String times(RunPlan run, Phase now, double share) {
        double elapsed = (clock.nanos() - startedNanos) / 1e9;
        double warmUp = run.procedure().warmUpRequests();
        double inRun = switch (now) {
            case LOAD -> 0;
            case WARM_UP -> warmUp * share;
            case MEASURE -> warmUp + (weight(run) - warmUp) * share;
            case ANALYSE -> weight(run);
        };
        double whole = plan.stream().mapToDouble(RunProgress::weight).sum();
        double done = whole == 0 ? 0 : (doneWeight + inRun) / whole;
        String left =
                done < SMALLEST_ESTIMATED_SHARE ? "--:--" : QuantityText.minutesSeconds(elapsed * (1 - done) / done);
        return QuantityText.minutesSeconds(elapsed) + " ETA " + left;
    }

    /// Number of requests as a measure of the work; the number in a prompts file is not known here.
    private static double weight(RunPlan run) {
        return run.procedure().warmUpRequests() + Math.max(1, run.cell().workload().requests());
    }

    private String head(RunPlan run) {
        return lead(run) + label(run);
    }

    /// What differs between the cells of the experiment.
    private String label(RunPlan run) {
        return spec.map(all -> all.label(run.cell())).orElseGet(run.cell()::label);
    }

    private String lead(RunPlan run) {
        return "[" + (run.index().run() + 1) + (plan.isEmpty() ? "" : "/" + plan.size()) + "] ";
    }

    private static String tokensPerSecond(double value) {
        return QuantityText.significant(value) + " tok/s";
    }

    private static String percent(double fraction) {
        return String.format(Locale.ROOT, " %.0f %%", fraction * 100);
    }

    private static String count(int count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }
}
