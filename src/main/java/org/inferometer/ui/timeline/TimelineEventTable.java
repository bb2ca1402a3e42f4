package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import javafx.collections.FXCollections;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.input.KeyCode;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.inferometer.report.timeline.RunTimelineEvent;
import org.inferometer.report.timeline.RunTimelineEvents;
import org.inferometer.ui.fx.ColumnWidths;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.TableColumns;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.ui.timeline.TimelineMarks.TimelineMark;
import org.jspecify.annotations.Nullable;

/// The events in view of one shown run, optionally of one kind. Selecting an event pins its request.
final class TimelineEventTable extends VBox {
    private final TimelineViewModel model;
    private final TableView<RunTimelineEvent> table =
            Panes.named("timeline-event-table", new TableView<>(), Styles.DENSE);
    private final ComboBox<PanelChoice> runs = Panes.named("timeline-event-run", new ComboBox<>(), Styles.SMALL);
    private final ComboBox<KindChoice> kinds = Panes.named("timeline-event-kind", new ComboBox<>(), Styles.SMALL);
    private final Label count = Panes.styled(new Label(), Styles.TEXT_MUTED, Styles.TEXT_SMALL);
    private final Map<RunTimelineEvent.Kind, RunTimelineEvents> filtered = new EnumMap<>(RunTimelineEvent.Kind.class);
    private boolean filling;
    private @Nullable Filling filled;

    private record KindChoice(Optional<RunTimelineEvent.Kind> kind, String label) {
        @Override
        public String toString() {
            return label;
        }
    }

    private record PanelChoice(int panel, String label) {
        @Override
        public String toString() {
            return label;
        }
    }

    TimelineEventTable(TimelineViewModel model) {
        this.model = model;
        setId("timeline-events");
        getStyleClass().add(StyleClasses.TIMELINE_EVENTS);
        table.getColumns().add(column("timeline.event.time", 105, event -> TimelineDetails.instant(sheetNanos(event))));
        table.getColumns().add(column("timeline.event.kind", 110, event -> event.kind().label()));
        table.getColumns().add(column("timeline.event.request", 82,
                event -> event.request() == RunTimelineEvent.NO_REQUEST ? "" : Integer.toString(event.request())));
        TableColumn<RunTimelineEvent, String> words = column("timeline.event.words", 150, RunTimelineEvent::text);
        table.getColumns().add(words);
        ColumnWidths.keep(table, words);
        table.setPlaceholder(new Label(text("timeline.no-events")));
        table.getSelectionModel().selectedItemProperty().addListener((observed, before, now) -> chosen(now));
        table.setOnKeyPressed(event -> {
            if (event.getCode() == KeyCode.ENTER) {
                chosen(table.getSelectionModel().getSelectedItem());
            }
        });
        setVgrow(table, Priority.ALWAYS);
        runs.setAccessibleText(text("timeline.events-run"));
        runs.managedProperty().bind(runs.visibleProperty());
        runs.valueProperty().addListener((observed, before, now) -> offerKinds(model.sheet().get()));
        kinds.valueProperty().addListener((observed, before, now) -> fill());
        HBox header =
                Panes.row(10, Labels.fixed(text("timeline.events-title"), StyleClasses.TILE_TITLE), runs, kinds, count);
        Labels.tellWhole(count);
        header.getStyleClass().add(StyleClasses.TIMELINE_EVENTS_HEADER);
        getChildren().addAll(header, table);
        model.sheet().addListener((observed, before, now) -> offerRuns(now));
        model.visible().window().addListener((observed, before, now) -> fill());
        visibleProperty().addListener((observed, before, now) -> fill());
        offerRuns(model.sheet().get());
    }

    private void offerRuns(@Nullable TimelineSheet sheet) {
        List<PanelChoice> shown = sheet == null ? List.of() : IntStream.range(0, sheet.panels().size())
                .mapToObj(panel -> new PanelChoice(panel, sheet.titles().get(panel))).toList();
        runs.setVisible(shown.size() > 1);
        runs.getItems().setAll(shown);
        runs.setValue(shown.isEmpty() ? null : shown.getFirst());
        // Another run can have the same name as the previous one.
        offerKinds(sheet);
    }

    private void offerKinds(@Nullable TimelineSheet sheet) {
        filtered.clear();
        KindChoice all = new KindChoice(Optional.empty(), text("timeline.all-events"));
        kinds.getItems().setAll(all);
        if (sheet != null) {
            events(sheet).counts().entrySet().stream().sorted(Map.Entry.comparingByKey())
                    .forEach(entry -> kinds.getItems().add(new KindChoice(Optional.of(entry.getKey()),
                            String.format(Locale.ROOT, "%s (%d)", entry.getKey().label(), entry.getValue()))));
        }
        kinds.setValue(all);
        fill();
    }

    /// What is listed: the table is filled again only if this changes. One change of the sheet asks several times.
    private record Filling(@Nullable TimelineSheet sheet, TimeWindow window, int panel,
            Optional<RunTimelineEvent.Kind> kind) {}

    private void fill() {
        TimelineSheet sheet = isVisible() ? model.sheet().get() : null;
        Filling wanted = new Filling(sheet, model.visible().window().get(), panel(),
                Optional.ofNullable(kinds.getValue()).flatMap(KindChoice::kind));
        if (!wanted.equals(filled)) {
            filled = wanted;
            fill(wanted);
        }
    }

    private void fill(Filling asked) {
        TimelineSheet sheet = asked.sheet();
        if (sheet == null) {
            table.setItems(FXCollections.observableArrayList());
            count.setText("");
            return;
        }
        RunTimelineEvents wanted =
                asked.kind().map(only -> filtered.computeIfAbsent(only, kind -> events(sheet).only(kind)))
                        .orElseGet(() -> events(sheet));
        List<RunTimelineEvent> inView = wanted.between(sheet.runNanos(asked.panel(), asked.window().from()),
                sheet.runNanos(asked.panel(), asked.window().to()));
        filling = true;
        table.setItems(FXCollections.observableList(inView));
        filling = false;
        count.setText(text("timeline.events-count", inView.size(), wanted.all().size()));
    }

    private void chosen(@Nullable RunTimelineEvent event) {
        TimelineSheet sheet = model.sheet().get();
        if (event == null || filling || sheet == null) {
            return;
        }
        int panel = panel();
        sheet.panels().get(panel).requestItem(event.request())
                .ifPresent(item -> model.marks().pin(new TimelineMark.OfRequest(panel, item)));
    }

    /// The run whose events are listed; the first by default.
    private int panel() {
        PanelChoice chosen = runs.getValue();
        TimelineSheet sheet = model.sheet().get();
        return chosen == null || sheet == null || chosen.panel() >= sheet.panels().size() ? 0 : chosen.panel();
    }

    private RunTimelineEvents events(TimelineSheet sheet) {
        return sheet.panels().get(panel()).events();
    }

    private long sheetNanos(RunTimelineEvent event) {
        TimelineSheet sheet = model.sheet().get();
        return sheet == null ? event.nanos() : sheet.sheetNanos(panel(), event.nanos());
    }

    private static TableColumn<RunTimelineEvent, String> column(String key, double width,
            Function<RunTimelineEvent, String> value) {
        TableColumn<RunTimelineEvent, String> column = TableColumns.text(key, width, value);
        column.setSortable(false);
        return column;
    }
}
