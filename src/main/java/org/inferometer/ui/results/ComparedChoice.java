package org.inferometer.ui.results;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.inferometer.experiment.RunCommandLine;
import org.inferometer.report.compare.ComparedSide;
import org.jspecify.annotations.Nullable;

/// The selected side of a comparison: a result and a part of it. Belongs to the UI thread.
public final class ComparedChoice {
    private final ObjectProperty<@Nullable ResultRow> result = new SimpleObjectProperty<>();
    private final ObservableList<ComparedResult.ResultPart> parts =
            FXCollections.observableArrayList(ComparedResult.ResultPart.WHOLE);
    private final ObjectProperty<ComparedResult.ResultPart> part =
            new SimpleObjectProperty<>(ComparedResult.ResultPart.WHOLE);

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

    /// The result, or null.
    public ObjectProperty<@Nullable ResultRow> result() {
        return result;
    }

    /// The parts to choose from; known after the result has been read.
    ObservableList<ComparedResult.ResultPart> parts() {
        return parts;
    }

    /// The selected part.
    ObjectProperty<ComparedResult.ResultPart> part() {
        return part;
    }
}
