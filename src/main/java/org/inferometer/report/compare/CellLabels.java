package org.inferometer.report.compare;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.experiment.Cell;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.RunPlan;

/// Names the runs of an experiment by their cells, as its charts and tables do: by what differs between them.
public final class CellLabels {
    private final Map<Integer, String> labels = new HashMap<>();
    private final ExperimentManifest manifest;

    private CellLabels(ExperimentManifest manifest) {
        this.manifest = manifest;
        ComparedCell.of(List.of(manifest)).forEach(cell -> labels.put(cell.summary().cellIndex(), cell.label()));
    }

    /// The labels of an experiment.
    public static CellLabels of(ExperimentManifest manifest) {
        return new CellLabels(manifest);
    }

    /// The label of a cell.
    public String of(CellSummary cell) {
        return label(cell.cellIndex(), cell.cell());
    }

    /// The label of a run's cell; with all that it names where the cell has no figures.
    public String of(RunPlan run) {
        return label(run.index().cell(), run.cell());
    }

    private String label(int index, Cell cell) {
        String label = labels.get(index);
        return label == null ? manifest.spec().label(cell) : label;
    }
}
