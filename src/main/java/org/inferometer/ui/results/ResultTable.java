package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.collections.ListChangeListener;
import javafx.collections.transformation.SortedList;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.control.SelectionMode;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;
import org.inferometer.record.RunStatus;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.ColumnWidths;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.fx.TableColumns;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// The experiments as a table, and as a narrow list.
public final class ResultTable {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneId.systemDefault());

    private ResultTable() {}

    /// @param memory stores column widths
    static TableView<ResultRow> createView(ResultsViewModel model, Consumer<ResultRow> open, Settings memory) {
        TableView<ResultRow> table =
                Panes.named("results-table", new TableView<>(), Styles.DENSE, StyleClasses.RESULTS_TABLE);
        SortedList<ResultRow> sorted = new SortedList<>(model.rows());
        sorted.comparatorProperty().bind(table.comparatorProperty());
        table.setItems(sorted);
        TableColumn<ResultRow, ?> name = TableColumns.nodes("results.name", 220, ResultTable::name);
        TableColumn<ResultRow, String> engines = TableColumns.text("results.engines", 150, ResultRow::engines);
        TableColumn<ResultRow, String> schedulers = TableColumns.text("results.schedulers", 150, ResultRow::schedulers);
        table.getColumns().addAll(List.of(
                TableColumns.values("results.date", 142, ResultRow::added, ResultTable::minute), name, engines,
                schedulers, TableColumns.numbers("results.cells", 76, ResultRow::cells, ResultTable::count),
                TableColumns.numbers("results.runs", 76, ResultRow::completeRuns, ResultTable::count),
                TableColumns.numbers("results.best", 124, row -> row.bestTokensPerSecond().orElse(Double.NaN),
                        rate -> rate.isNaN() ? "–" : QuantityText.significant(rate)),
                TableColumns.nodes("results.status", 118, row -> row.status().map(Chips::of).orElseGet(Chips::damaged)),
                TableColumns.nodes("results.verdict", 106,
                        row -> row.grade().<Node>map(Chips::of).orElseGet(() -> ungraded(row)))));
        ColumnWidths.keep(table, name, engines, schedulers).remember(memory, "columns.results");
        table.getSelectionModel().setSelectionMode(SelectionMode.MULTIPLE);
        TableColumns.onOpen(table, open, (row, shown) -> row
                .setTooltip(shown == null || shown.problem().isEmpty() ? null : new Tooltip(shown.problem())));
        keepSelection(table, model);
        return table;
    }

    /// Restores the selection after a refresh.
    private static void keepSelection(TableView<ResultRow> table, ResultsViewModel model) {
        Set<Path> chosen = new HashSet<>();
        model.loading().addListener((observed, before, now) -> {
            if (now) {
                chosen.clear();
                table.getSelectionModel().getSelectedItems().forEach(row -> chosen.add(row.folder()));
            } else if (table.getSelectionModel().isEmpty()) {
                for (int i = 0; i < table.getItems().size(); i++) {
                    if (chosen.contains(table.getItems().get(i).folder())) {
                        table.getSelectionModel().select(i);
                    }
                }
            }
        });
    }

    private static Node name(ResultRow row) {
        Label name = new Label(row.name());
        name.setTooltip(new Tooltip(row.name() + "\n" + row.folder().getFileName()));
        HBox box = Panes.row(6, name);
        if (row.notes().starred()) {
            box.getChildren().addFirst(Labels.icon("mdmz-star", StyleClasses.STAR));
        }
        box.getChildren().addAll(Chips.tags(row.origin().place(), row.imported()));
        row.notes().tags().forEach(tag -> box.getChildren().add(Labels.fixed(tag, StyleClasses.TAG)));
        return box;
    }

    private static Label ungraded(ResultRow row) {
        return Labels.of(row.imported() ? text("results.not-judged") : "–", Styles.TEXT_MUTED);
    }

    /// "2026-11-20 09:15:07"; a dash for an unknown instant.
    public static String stamp(Instant instant) {
        return instant.equals(Instant.MIN) ? "–" : STAMP.format(instant);
    }

    /// "2026-11-20 09:15"; a dash for an unknown instant.
    static String minute(Instant instant) {
        return instant.equals(Instant.MIN) ? "–" : MINUTE.format(instant);
    }

    private static String count(int number) {
        return number == 0 ? "–" : Integer.toString(number);
    }

    /// The experiments as a narrow list beside an open result: a selected one opens.
    static final class ResultList {
        private final ResultsViewModel model;
        private final ListView<ResultRow> list = new ListView<>();
        private boolean following;

        /// @param placeholder shown without rows, made again when they change
        ResultList(ResultsViewModel model, Supplier<Node> placeholder) {
            this.model = model;
            list.setId("results-list");
            list.getStyleClass().addAll(Styles.DENSE, StyleClasses.RESULT_LIST);
            list.setItems(model.rows());
            list.setCellFactory(view -> new Cell());
            model.rows().addListener((ListChangeListener<ResultRow>) change -> {
                list.setPlaceholder(placeholder.get());
                follow();
            });
            list.getSelectionModel().selectedItemProperty().addListener((observed, before, now) -> {
                if (now != null && !following) {
                    model.open(now);
                }
            });
        }

        /// The list; one for its life.
        ListView<ResultRow> createView() {
            return list;
        }

        /// Selects the open result without opening it again; nothing where it is not listed.
        void follow() {
            OpenedExperiment opened = model.opened().get();
            Path folder = opened == null ? null : opened.record().folder();
            following = true;
            list.getSelectionModel().clearSelection();
            model.rows().stream().filter(row -> row.folder().equals(folder)).findFirst()
                    .ifPresent(row -> list.getSelectionModel().select(row));
            following = false;
        }

        /// When it was measured here, and how much it holds, or when it was imported: "2026-11-20 09:15 · 4 cells".
        static String small(ResultRow row) {
            if (row.status().isEmpty()) {
                return text("results.small-damaged");
            }
            // Rows stand in the order in which they were added.
            String when = minute(row.added());
            if (row.imported()) {
                return text("results.small-imported", when);
            }
            boolean ended = row.status().filter(status -> status != RunStatus.COMPLETE && status != RunStatus.RUNNING)
                    .isPresent();
            return ended ? text("results.small-stopped", when, row.completeRuns(), row.runs())
                    : text(row.cells() == 1 ? "results.small-one" : "results.small", when, row.cells());
        }

        /// The verdict; without one, why: the result is damaged or incomplete. Empty for a complete result that nobody judged.
        static Optional<Label> state(ResultRow row) {
            if (row.status().isEmpty()) {
                return Optional.of(Chips.damaged());
            }
            return row.grade().map(Chips::of)
                    .or(() -> row.status().filter(status -> status != RunStatus.COMPLETE).map(Chips::of));
        }

        /// Name and state over what was measured and when.
        private static final class Cell extends ListCell<ResultRow> {
            @Override
            protected void updateItem(@Nullable ResultRow row, boolean empty) {
                super.updateItem(row, empty);
                setText(null);
                setGraphic(empty || row == null ? null : card(row));
                setTooltip(empty || row == null ? null : new Tooltip(String.join("\n", row.name(), subjects(row),
                        row.problem().isEmpty() ? String.valueOf(row.folder().getFileName()) : row.problem())));
                setPrefWidth(0);
            }

            private static String subjects(ResultRow row) {
                return Stream.of(row.engines(), row.schedulers()).filter(part -> !part.isEmpty())
                        .collect(Collectors.joining(" · "));
            }

            private static VBox card(ResultRow row) {
                Label name = Labels.of(row.name(), StyleClasses.TILE_TITLE);
                name.setMinWidth(0);
                name.getStyleClass().add(StyleClasses.MIDDLE_CUT);
                HBox head = Panes.row(6, name, Panes.spacer());
                if (row.notes().starred()) {
                    head.getChildren().addFirst(Labels.icon("mdmz-star", StyleClasses.STAR));
                }
                state(row).ifPresent(chip -> head.getChildren().add(Chips.dot(chip)));
                Label subjects = Labels.of(subjects(row), Styles.TEXT_MUTED, Styles.TEXT_SMALL);
                Label when = Labels.of(small(row), Styles.TEXT_MUTED, Styles.TEXT_SMALL);
                subjects.setMinWidth(0);
                when.setMinWidth(0);
                return subjects.getText().isEmpty() ? new VBox(2, head, when) : new VBox(2, head, subjects, when);
            }
        }
    }
}
