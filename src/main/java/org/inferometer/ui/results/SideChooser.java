package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.beans.binding.Bindings;
import javafx.collections.ListChangeListener;
import javafx.scene.Node;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import org.inferometer.ui.fx.ComboBoxes;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.results.ComparedChoice.ComparedResult;

/// Selects one side of a comparison: a result and a part of it.
public final class SideChooser {
    private static final double PART_WIDTH = 130;
    private final ComparedChoice side;
    private final ComboBox<ResultRow> result;
    private ResultLabels labels = new ResultLabels(List.of());
    private boolean offering;

    public SideChooser(String id, ComparedChoice side) {
        this.side = side;
        result = ComboBoxes.searchable(id, this::label);
        showChosen();
    }

    /// The closed box has no room for all words.
    private void showChosen() {
        ComboBoxes.redraw(result, row -> labels.shortOf(row));
    }

    private String label(ResultRow row) {
        return labels.of(row);
    }

    /// Sets the results to choose from; the selected one is added when missing.
    public void offer(List<ResultRow> choices) {
        ResultRow chosen = side.result().get();
        List<ResultRow> results = new ArrayList<>(choices);
        if (chosen != null && !results.contains(chosen)) {
            results.addFirst(chosen);
        }
        labels = new ResultLabels(results);
        // Changing the items would change the value.
        offering = true;
        result.getItems().setAll(results);
        result.setValue(chosen);
        offering = false;
        showChosen();
    }

    /// The control; called once.
    ///
    /// @param key of its label
    public Node createView(String key) {
        result.setPromptText(text("compare.prompt"));
        result.setValue(side.result().get());
        result.valueProperty().addListener((observed, before, now) -> {
            // A search may hide the chosen result.
            if (!offering && now != null) {
                side.result().set(now);
            }
        });
        side.result().addListener((observed, before, now) -> {
            result.setValue(now);
            showChosen();
        });
        ComboBox<ComparedResult.ResultPart> part =
                ComboBoxes.of(result.getId() + "-part", ComparedResult.ResultPart::label);
        part.setAccessibleText(text("compare.part"));
        Runnable offer = () -> {
            ComparedResult.ResultPart meant = side.part().get();
            offering = true;
            part.getItems().setAll(side.parts());
            part.setValue(meant);
            offering = false;
            part.setDisable(side.parts().size() < 2);
        };
        side.parts().addListener((ListChangeListener<ComparedResult.ResultPart>) change -> offer.run());
        side.part().addListener((observed, before, now) -> part.setValue(now));
        offer.run();
        part.valueProperty().addListener((observed, before, now) -> {
            if (now != null && !offering) {
                side.part().set(now);
            }
        });
        side.result().addListener((observed, before, now) -> {
            if (now == null) {
                part.getItems().clear();
                part.setDisable(true);
            }
        });
        Label label = Labels.fixed(text(key), Styles.TEXT_MUTED);
        label.setLabelFor(result);
        HBox.setHgrow(result, Priority.ALWAYS);
        HBox.setHgrow(part, Priority.ALWAYS);
        // A long name is cut in the box and whole in the tooltip.
        part.setPrefWidth(PART_WIDTH);
        Tooltip whole = new Tooltip();
        whole.textProperty()
                .bind(Bindings.createStringBinding(
                        () -> result.getValue() == null ? text("compare.prompt") : label(result.getValue()),
                        result.valueProperty()));
        result.setTooltip(whole);
        return Panes.row(8, label, result, part);
    }

    /// Distinct labels for the results of a list: name, date as in the list, engines and schedulers. Equal ones have the second too,
    /// and then the folder. Pure.
    public static final class ResultLabels {
        private static final List<Function<ResultRow, String>> SHORT =
                List.of(ResultLabels::minute, ResultLabels::second, row -> joined(second(row), folder(row)));
        private static final List<Function<ResultRow, String>> WHOLE = List.of(row -> described(minute(row), row),
                row -> described(second(row), row), row -> joined(described(second(row), row), folder(row)));

        private final Map<Path, String> whole;
        private final Map<Path, String> narrow;

        /// @param choices the results of the list
        public ResultLabels(List<ResultRow> choices) {
            whole = distinct(choices, WHOLE);
            narrow = distinct(choices, SHORT);
        }

        /// @param forms the shortest first
        private static Map<Path, String> distinct(List<ResultRow> choices, List<Function<ResultRow, String>> forms) {
            Map<Path, String> words = new HashMap<>();
            for (Function<ResultRow, String> form : forms) {
                Map<String, Long> count = choices.stream().collect(Collectors.groupingBy(form, Collectors.counting()));
                choices.stream()
                        .filter(row -> !words.containsKey(row.folder()) && count.getOrDefault(form.apply(row), 0L) == 1)
                        .forEach(row -> words.put(row.folder(), form.apply(row)));
            }
            return words;
        }

        /// "quick · 2026-11-20 09:15 · tiny-int4 · naive, continuous".
        public String of(ResultRow row) {
            return whole.getOrDefault(row.folder(), described(minute(row), row));
        }

        /// "quick · 2026-11-20 09:15", for boxes that would cut the rest.
        public String shortOf(ResultRow row) {
            return narrow.getOrDefault(row.folder(), minute(row));
        }

        private static String minute(ResultRow row) {
            return joined(row.name(), ResultTable.minute(row.added()));
        }

        private static String second(ResultRow row) {
            return joined(row.name(), ResultTable.stamp(row.added()));
        }

        private static String described(String start, ResultRow row) {
            return joined(start, row.engines(), row.schedulers());
        }

        private static String folder(ResultRow row) {
            return String.valueOf(row.folder().getFileName());
        }

        private static String joined(String... words) {
            return Stream.of(words).filter(word -> !word.isEmpty()).collect(Collectors.joining(" · "));
        }
    }
}
