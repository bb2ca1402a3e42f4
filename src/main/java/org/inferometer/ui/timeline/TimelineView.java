package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.geometry.VPos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.CheckMenuItem;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.controlsfx.control.SearchableComboBox;
import org.inferometer.record.MemoryOwner;
import org.inferometer.report.charts.VectorDrawing;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.chart.ExportPane;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.ComboBoxes;
import org.inferometer.ui.fx.EndsRow;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Navigation;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.ui.timeline.TimelineLegend.TimelineSwatch;
import org.kordamp.ikonli.javafx.FontIcon;

/// The Timeline view: whole run on top, rows below, details at the right, events at the bottom.
public final class TimelineView {
    private static final double CHOOSER = 360;
    private static final double WIDEST_CHOOSER = 720;
    private static final double EMPTY_CHOOSER = 90;
    private final TimelineViewModel model;
    private final Navigation navigation;
    private final ObservableValue<Double> textScale;
    private final TimelineCanvas canvas;
    private final ChartTools tools;
    private boolean keysAwaited;
    private final StackPane center = new StackPane();
    private final BorderPane root = Panes.named("timeline", new BorderPane(), StyleClasses.TIMELINE);
    private final ToggleButton events = Panes.named("timeline-events-toggle",
            new ToggleButton(text("timeline.events-title"), new FontIcon("mdmz-view_list")));

    /// @param tools for exports
    public TimelineView(TimelineViewModel model, Navigation navigation, ChartTools tools) {
        this.model = model;
        this.navigation = navigation;
        this.tools = tools;
        textScale = tools.window().textScale();
        canvas = new TimelineCanvas(model, textScale);
        canvas.offer(Buttons.item("timeline-copy-image", text("timeline.copy-image"), this::copyImage),
                Buttons.item("timeline-save-image", text("timeline.save-image"), this::saveImage));
    }

    /// The view's root; one for the life of the view.
    public Node createView() {
        TimelineDetailsPane details = new TimelineDetailsPane(model, canvas::copyDetails);
        TimelineEventTable table = new TimelineEventTable(model);
        table.visibleProperty().bind(events.selectedProperty());
        table.managedProperty().bind(events.selectedProperty());
        events.setSelected(true);
        VBox rows = Panes.named("timeline-rows",
                new VBox(note(), FilterMenu.strip(model), new TimelineMinimap(model, textScale), canvas, legend()),
                StyleClasses.TIMELINE_ROWS);
        VBox.setVgrow(canvas, Priority.ALWAYS);
        TimelinePicture picture = new TimelinePicture(rows, details, table, textScale);
        root.setTop(toolbar());
        root.setCenter(center);
        Runnable show = () -> center.getChildren().setAll(switch (model.stage().get()) {
            case READY -> picture;
            case BUILDING -> building();
            case EMPTY -> message("mdmz-timeline",
                    model.problem().get().isEmpty() ? text("timeline.empty") : model.problem().get());
            case FAILED -> message("mdal-error", model.problem().get());
        });
        model.stage().addListener((observed, before, now) -> {
            show.run();
            if (now == TimelineViewModel.LoadState.READY && keysAwaited) {
                focusRows();
            }
            keysAwaited &= now == TimelineViewModel.LoadState.BUILDING;
        });
        model.problem().subscribe(now -> show.run());
        return root;
    }

    /// Moves the focus to the rows once they are built.
    public void focusRows() {
        keysAwaited = model.stage().get() == TimelineViewModel.LoadState.BUILDING;
        canvas.requestFocus();
    }

    /// Shows or hides the table of events.
    public void toggleEvents() {
        events.setSelected(!events.isSelected());
    }

    private Node toolbar() {
        ComboBox<RunChoice> run = chooser("timeline-run", "timeline.run-prompt");
        run.setItems(model.runs());
        run.setMaxWidth(WIDEST_CHOOSER);
        HBox.setHgrow(run, Priority.ALWAYS);
        ComboBoxes.choose(run, model.run());
        ComboBox<RunChoice> compared = chooser("timeline-compared", "timeline.compare-prompt");
        compared.setItems(model.runs());
        compared.setAccessibleText(text("timeline.compare-with"));
        // The names of runs are long: an empty choice leaves its room to them.
        compared.prefWidthProperty()
                .bind(Bindings.createDoubleBinding(
                        () -> model.compared().get() == null ? EMPTY_CHOOSER * textScale.getValue() : CHOOSER,
                        model.compared(), textScale));
        ComboBoxes.choose(compared, model.compared());
        Button alone = Buttons.icon("timeline-alone", "mdal-close", text("timeline.compare-none"),
                () -> model.compared().set(null));
        Panes.showWhen(alone, model.compared().isNotNull());
        Label with = Labels.fixed(text("timeline.compare-with"), Styles.TEXT_MUTED);
        with.setLabelFor(compared);
        HBox chosen = Panes.row(8, run, with, compared, alone);
        chosen.visibleProperty().bind(model.experiment().isNotEmpty());
        Button closer = Buttons.icon("timeline-zoom-in", "mdmz-zoom_in", text("timeline.zoom-in"),
                () -> model.visible().zoom(0.5));
        Button further = Buttons.icon("timeline-zoom-out", "mdmz-zoom_out", text("timeline.zoom-out"),
                () -> model.visible().zoom(2));
        Button all = Buttons.icon("timeline-fit", "mdmz-zoom_out_map", text("timeline.fit"), model.visible()::showAll);
        ToggleButton measure = Panes.named("timeline-measure", new ToggleButton(null, new FontIcon("mdmz-straighten")),
                Styles.BUTTON_ICON);
        measure.setTooltip(new Tooltip(text("timeline.measure")));
        measure.setAccessibleText(text("timeline.measure"));
        measure.selectedProperty().bindBidirectional(canvas.measuring());
        events.setTooltip(new Tooltip(text("timeline.events-toggle")));
        events.setMinWidth(Region.USE_PREF_SIZE);
        HBox actions = new HBox(2, closer, further, all, measure, new FilterMenu(model), new RowMenu(model),
                imageMenu(), events);
        actions.setAlignment(Pos.CENTER_RIGHT);
        actions.setMinWidth(Region.USE_PREF_SIZE);
        actions.disableProperty().bind(model.stage().isNotEqualTo(TimelineViewModel.LoadState.READY));
        return Panes.styled(new EndsRow(chosen, actions), StyleClasses.TIMELINE_BAR);
    }

    private void saveImage() {
        canvas.drawing().ifPresent(drawing -> ExportPane.open(tools, picture(drawing)));
    }

    private void copyImage() {
        canvas.drawing().ifPresent(drawing -> ExportPane.copy(tools, picture(drawing)));
    }

    /// In the theme and the size of the window.
    private ExportPane.ExportedPicture picture(VectorDrawing drawing) {
        return new ExportPane.ExportedPicture(picture -> tools.renderer().draw(drawing, picture), "timeline",
                model.experiment().get(), drawing.width(), drawing.height(), true);
    }

    private MenuButton imageMenu() {
        MenuButton image = Panes.named("timeline-image",
                new MenuButton(null, new FontIcon("mdmz-photo_camera"),
                        Buttons.item("timeline-image-save", text("timeline.save-image"), this::saveImage),
                        Buttons.item("timeline-image-copy", text("timeline.copy-image"), this::copyImage)));
        image.setMinWidth(Region.USE_PREF_SIZE);
        image.setTooltip(new Tooltip(text("timeline.image")));
        image.setAccessibleText(text("timeline.image"));
        return image;
    }

    private ComboBox<RunChoice> chooser(String id, String promptKey) {
        ComboBox<RunChoice> chooser = Panes.named(id, new SearchableComboBox<>(), StyleClasses.MIDDLE_CUT);
        chooser.setPromptText(text(promptKey));
        chooser.setAccessibleText(text(promptKey));
        chooser.setMinWidth(120);
        chooser.setPrefWidth(CHOOSER);
        Tooltip whole = new Tooltip();
        whole.textProperty().bind(chooser.valueProperty().map(RunChoice::toString).orElse(text(promptKey)));
        chooser.setTooltip(whole);
        return chooser;
    }

    private Node note() {
        Label note = Labels.message("timeline-note", model.note(), StyleClasses.TIMELINE_NOTE);
        note.setGraphic(new FontIcon("mdal-info"));
        return note;
    }

    private Node building() {
        ProgressBar bar = new ProgressBar();
        bar.setPrefWidth(320);
        bar.progressProperty().bind(model.progress());
        Button cancel = Panes.named("timeline-cancel", new Button(text("action.cancel")));
        cancel.setOnAction(event -> model.cancel());
        VBox box = new VBox(12, Labels.of(text("timeline.building"), Styles.TEXT_MUTED), bar, cancel);
        box.setAlignment(Pos.CENTER);
        return box;
    }

    private Node message(String icon, String sentence) {
        Button newest = Panes.styled(Buttons.of("timeline-open-newest", "mdmz-timeline", text("timeline.open-newest"),
                navigation::openNewest), Styles.ACCENT);
        HBox buttons = new HBox(10, newest, Buttons.of("timeline-choose-result", "mdal-insert_chart",
                text("timeline.choose-result"), navigation::showResults));
        buttons.setAlignment(Pos.CENTER);
        VBox box = Panes.named("timeline-message", new VBox(12, Labels.icon(icon, StyleClasses.EMPTY_ICON),
                Labels.centred(sentence, Styles.TEXT_MUTED), buttons));
        box.setAlignment(Pos.CENTER);
        box.getStyleClass().add(StyleClasses.VIEW_BODY);
        return box;
    }

    private Node legend() {
        FlowPane legend = Panes.named("timeline-legend", new FlowPane(12, 2), StyleClasses.TIMELINE_LEGEND);
        model.sheet().subscribe(sheet -> {
            if (sheet != null) {
                TimelineLegend shown = TimelineLegend.of(sheet);
                legend.getChildren().setAll(shown.inks().stream().map(TimelineSwatch::new).toList());
                for (String words : List.of(shown.numbers(), shown.events())) {
                    if (!words.isEmpty()) {
                        legend.getChildren().add(Labels.of(words, Styles.TEXT_MUTED, Styles.TEXT_SMALL));
                    }
                }
            }
        });
        return legend;
    }

    /// The menu of what rows of values show: owners of memory, and the scale of KV blocks.
    private static final class RowMenu extends MenuButton {
        private final TimelineViewModel model;

        RowMenu(TimelineViewModel model) {
            super(null, new FontIcon("mdmz-visibility"));
            this.model = model;
            setId("timeline-rows-menu");
            setMinWidth(Region.USE_PREF_SIZE);
            setTooltip(new Tooltip(text("timeline.rows-hint")));
            setAccessibleText(text("timeline.rows-hint"));
            model.sheet().addListener((observed, before, now) -> fill());
            model.display().subscribe(now -> fill());
        }

        private void fill() {
            TimelineSheet sheet = model.sheet().get();
            Set<MemoryOwner> owners = EnumSet.noneOf(MemoryOwner.class);
            if (sheet != null) {
                sheet.panels().forEach(timeline -> owners.addAll(timeline.memory().owners()));
            }
            getItems().clear();
            for (MemoryOwner owner : owners) {
                getItems().add(item("timeline-show-" + owner.id().replace('_', '-'),
                        text("timeline.show-owner", owner.label()), now -> !now.hidden().contains(owner),
                        (now, shown) -> now.with(owner, shown)));
            }
            if (!owners.isEmpty()) {
                getItems().add(new SeparatorMenuItem());
            }
            getItems().add(item("timeline-whole-pool", text("timeline.whole-pool"), TimelineDisplay::wholePool,
                    TimelineDisplay::withWholePool));
        }

        private CheckMenuItem item(String id, String label, Predicate<TimelineDisplay> now,
                BiFunction<TimelineDisplay, Boolean, TimelineDisplay> changed) {
            CheckMenuItem item = new CheckMenuItem(label);
            item.setMnemonicParsing(false);
            item.setId(id);
            item.setSelected(now.test(model.display().get()));
            item.setOnAction(event -> model.display().set(changed.apply(model.display().get(), item.isSelected())));
            return item;
        }
    }

    /// Details of the marked or pinned step or request, or of the measured range.
    private static final class TimelineDetailsPane extends VBox {
        private final Label title = Panes.named("timeline-details-title", new Label(), StyleClasses.TILE_TITLE);
        private final Label reason = Panes.named("timeline-reason", new Label());
        private final GridPane grid = Panes.grid(2, 10, 4);
        private final Label hint = Panes.styled(new Label(text("timeline.hint")), Styles.TEXT_MUTED, Styles.TEXT_SMALL);
        private final VBox reasonBox;
        private final Label pin =
                Panes.styled(new Label(text("timeline.pinned")), StyleClasses.TAG, StyleClasses.TAG_QUIET);

        TimelineDetailsPane(TimelineViewModel model, Runnable copy) {
            setId("timeline-details");
            getStyleClass().add(StyleClasses.TIMELINE_DETAILS);
            pin.setMinWidth(USE_PREF_SIZE);
            Button copying = Panes.styled(
                    Buttons.icon("timeline-copy", "mdal-content_copy", text("timeline.copy-details"), copy),
                    StyleClasses.TILE_TOOL);
            HBox header = Panes.row(8, title, pin, Panes.spacer(), copying);
            header.setMinHeight(32);
            Label why = Labels.of(text("timeline.why"), Styles.TEXT_MUTED, Styles.TEXT_SMALL);
            reason.setWrapText(true);
            reason.setMinHeight(USE_PREF_SIZE);
            reasonBox = new VBox(2, why, reason);
            reasonBox.getStyleClass().add(StyleClasses.TIMELINE_WHY);
            hint.setWrapText(true);
            hint.setMinHeight(USE_PREF_SIZE);
            VBox body = new VBox(10, reasonBox, grid, hint);
            ScrollPane scroll = Panes.scroll(body);
            scroll.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
            scroll.setFocusTraversable(false);
            setVgrow(scroll, Priority.ALWAYS);
            setSpacing(6);
            getChildren().addAll(header, scroll);
            Runnable show = () -> show(model.marks().details().get(),
                    model.marks().pinned().get() != null && model.marks().stretch().get() == null);
            model.marks().details().addListener((observed, before, now) -> show.run());
            model.marks().pinned().subscribe(now -> show.run());
        }

        private void show(TimelineDetails details, boolean isPinned) {
            title.setText(details.isEmpty() ? text("timeline.details") : details.title());
            pin.setVisible(isPinned);
            reason.setText(details.reason());
            Panes.show(reasonBox, !details.reason().isEmpty());
            Panes.show(hint, details.isEmpty());
            grid.getChildren().clear();
            for (int i = 0; i < details.lines().size(); i++) {
                Label name = Labels.fixed(details.lines().get(i).name(), Styles.TEXT_MUTED, Styles.TEXT_SMALL);
                GridPane.setValignment(name, VPos.TOP);
                grid.addRow(i, name, Labels.wrapped(details.lines().get(i).value(), StyleClasses.TIMELINE_VALUE));
            }
        }
    }
}
