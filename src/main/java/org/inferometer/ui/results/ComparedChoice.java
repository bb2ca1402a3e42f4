package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.inferometer.experiment.RunCommandLine;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.report.compare.CellLabels;
import org.inferometer.report.compare.ComparedSide;
import org.jspecify.annotations.Nullable;

/// The selected side of a comparison: a result and a part of it. Belongs to the UI thread.
///
/// @param result or null
/// @param parts to choose from; known after the result has been read
public record ComparedChoice(ObjectProperty<@Nullable ResultRow> result,
        ObservableList<ComparedResult.ResultPart> parts, ObjectProperty<ComparedResult.ResultPart> part) {
    public ComparedChoice() {
        this(new SimpleObjectProperty<>(), FXCollections.observableArrayList(ComparedResult.ResultPart.WHOLE),
                new SimpleObjectProperty<>(ComparedResult.ResultPart.WHOLE));
    }

    /// Selects a whole result.
    public void choose(@Nullable ResultRow row) {
        result.set(row);
        part.set(ComparedResult.ResultPart.WHOLE);
    }

    /// The parts to choose from; the selected one gets its label.
    void offer(List<ComparedResult.ResultPart> known) {
        ComparedResult.ResultPart selected = part.get();
        parts.setAll(known);
        known.stream().filter(each -> each.id().equals(selected.id())).findFirst().ifPresent(part::set);
    }

    /// "2026-11-21_quick#2", quoted for a POSIX shell; empty when nothing is selected.
    ///
    /// @param knownByName whether a command finds a result by its folder name; else the path is written
    Optional<String> argument(Predicate<Path> knownByName) {
        return Optional.ofNullable(result.get()).map(row -> {
            String partId = part.get().id();
            return argument(row, knownByName)
                    + (partId.isEmpty() ? "" : ComparedSide.PART + RunCommandLine.quoted(partId));
        });
    }

    /// A whole result, quoted for a POSIX shell.
    static String argument(ResultRow row, Predicate<Path> knownByName) {
        Path folder = row.folder();
        return RunCommandLine.quoted(knownByName.test(folder) ? String.valueOf(folder.getFileName())
                : folder.toAbsolutePath().normalize().toString());
    }

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
}
