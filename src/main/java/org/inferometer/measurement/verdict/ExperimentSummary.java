package org.inferometer.measurement.verdict;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.RepeatedPrompts;
import org.inferometer.measurement.verdict.ExperimentVerdict.CellVerdicts;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.ExperimentOutcome;
import org.inferometer.record.ExperimentManifest.LoadEstimate;
import org.inferometer.record.Figure;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SloResult;
import org.inferometer.record.Verdict;
import org.inferometer.workload.LoadKind;
import org.jspecify.annotations.Nullable;

/// The summary of an experiment: figures per cell over its complete runs, and the verdict over all cells.
public final class ExperimentSummary {
    private ExperimentSummary() {}

    /// The manifest with the cells that have records.
    public static ExperimentManifest of(ExperimentManifest manifest, List<RunRecord> records) {
        return with(manifest, records, manifest.times().ended(), manifest.status(), manifest.failure());
    }

    /// The manifest of an experiment that has ended, with its verdict.
    public static ExperimentManifest ended(ExperimentManifest manifest, List<RunRecord> records, RunStatus status,
            String failure, Instant endedWall) {
        return with(manifest, records, endedWall, status, failure);
    }

    private static ExperimentManifest with(ExperimentManifest manifest, List<RunRecord> records,
            @Nullable Instant endedWall, RunStatus status, String failure) {
        List<ExperimentManifest.CellSummary> cells = new ArrayList<>();
        List<Cell> matrix = manifest.spec().cells();
        int looks = manifest.spec().looks().size();
        Map<Integer, Figure> repeated = RepeatedPrompts.of(records);
        for (int index = 0; index < matrix.size(); index++) {
            List<RunRecord> ofCell = complete(records, index);
            if (!ofCell.isEmpty()) {
                RunManifest first = ofCell.getFirst().manifest();
                cells.add(new ExperimentManifest.CellSummary(index, matrix.get(index), first.system().model(),
                        first.system().precision(), ofCell.size(), invalid(ofCell),
                        CellFigures.under(LoadKind.of(matrix.get(index).workload()),
                                CellFigures.ofRuns(ofCell, repeated, looks)),
                        slo(manifest.spec(), matrix, index, records), first.system().quality()));
            }
        }
        Verdict verdict = endedWall == null || records.isEmpty() ? null : verdict(manifest, records, cells, status);
        return manifest.withOutcome(new ExperimentOutcome(status, failure, List.copyOf(cells), verdict,
                estimates(manifest.spec(), records)), endedWall);
    }

    private static @Nullable List<LoadEstimate> estimates(ExperimentSpec spec, List<RunRecord> records) {
        List<RunRecord> complete =
                records.stream().filter(record -> record.manifest().status() == RunStatus.COMPLETE).toList();
        return !spec.search() ? null
                : SearchedLoads.of(spec).stream().flatMap(loads -> loads.estimate(complete).stream()).toList();
    }

    private static @Nullable SloResult slo(ExperimentSpec spec, List<Cell> matrix, int index, List<RunRecord> records) {
        if (spec.goal().objective().isEmpty()) {
            return null;
        }
        int loads =
                (int) IntStream.range(0, matrix.size()).filter(other -> !complete(records, other).isEmpty()).count();
        return new SloDecision(spec.goal().objective()).result(complete(records, index), loads);
    }

    private static Verdict verdict(ExperimentManifest manifest, List<RunRecord> records,
            List<ExperimentManifest.CellSummary> summaries, RunStatus status) {
        List<Cell> matrix = manifest.spec().cells();
        List<CellVerdicts> cells = new ArrayList<>();
        for (int index = 0; index < matrix.size(); index++) {
            List<Verdict> verdicts = complete(records, index).stream()
                    .flatMap(run -> Optional.ofNullable(run.manifest().outcome().verdict()).stream()).toList();
            // A search runs most loads once; its answer comes from the repeated ones.
            if (!manifest.spec().search() || verdicts.size() >= manifest.spec().runs()) {
                cells.add(new CellVerdicts(manifest.spec().label(matrix.get(index)), manifest.spec().runs(), verdicts));
            }
        }
        return ExperimentVerdict.judge(cells, status,
                Stream.concat(
                        RunPrecision.of(manifest.spec()).map(precision -> precision.condition(summaries)).stream(),
                        FirstRun.condition(summaries, manifest.spec()).stream()).toList());
    }

    /// How many runs are INVALID; null where a run has no verdict.
    public static @Nullable Integer invalid(List<RunRecord> runs) {
        int invalid = 0;
        for (RunRecord run : runs) {
            Verdict verdict = run.manifest().outcome().verdict();
            if (verdict == null) {
                return null;
            }
            invalid += verdict.grade() == Verdict.Grade.INVALID ? 1 : 0;
        }
        return invalid;
    }

    private static List<RunRecord> complete(List<RunRecord> records, int cellIndex) {
        return records.stream().filter(record -> record.manifest().plan().index().cell() == cellIndex
                && record.manifest().status() == RunStatus.COMPLETE).toList();
    }
}
