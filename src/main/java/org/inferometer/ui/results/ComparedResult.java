package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.report.compare.CellLabels;
import org.inferometer.report.compare.ComparedSide;

/// A result read for a comparison, and its parts.
record ComparedResult(ExperimentRecord record, List<ComparedSide> cells) {
    /// A part of a result.
    ///
    /// @param id as written after # on a command line: "2", "run-003_tiny-int4_naive_quick_2"; empty for all cells
    record ResultPart(String id, String label) {
        /// All cells.
        static final ResultPart WHOLE = new ResultPart("", text("compare.all-cells"));
    }

    static ComparedResult of(ExperimentRecord record) {
        return new ComparedResult(record, ComparedSide.cells(record));
    }

    /// All cells; each cell if there are several; each complete run if a cell has several.
    List<ResultPart> parts() {
        List<ResultPart> parts = new ArrayList<>(List.of(ResultPart.WHOLE));
        CellLabels labels = CellLabels.of(record.manifest());
        for (int i = 0; i < cells.size() && cells.size() > 1; i++) {
            CellSummary cell = record.manifest().cells().get(i);
            String number = Integer.toString(cell.cellIndex() + 1);
            parts.add(new ResultPart(number, text("compare.cell", number, labels.of(cell))));
        }
        List<RunRecord> runs =
                record.runs().stream().filter(run -> run.manifest().status() == RunStatus.COMPLETE).toList();
        for (RunRecord run : runs.size() > Math.max(1, cells.size()) ? runs : List.<RunRecord>of()) {
            RunPlan plan = run.manifest().plan();
            parts.add(new ResultPart(run.folderName(),
                    text("compare.run", plan.index().run() + 1, labels.of(plan), plan.index().repetition() + 1)));
        }
        return List.copyOf(parts);
    }

    /// The sides of a part; empty when the result has no complete run.
    List<ComparedSide> sides(ResultPart part) {
        return part.id().isEmpty() ? cells
                : Optional.of(part.id()).flatMap(id -> ComparedSide.part(record, id)).stream().toList();
    }
}
