package org.inferometer.ui.devices;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javafx.geometry.Orientation;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressIndicator;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.inferometer.report.DevicesText;
import org.inferometer.report.DevicesText.MachineView;
import org.inferometer.report.DevicesText.MachineView.BackendFact;
import org.inferometer.telemetry.GpuDescription;
import org.inferometer.telemetry.MachineMonitor;
import org.inferometer.telemetry.MachineReport;
import org.inferometer.telemetry.ReadinessCheck;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.EndsRow;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.TextClipboard;
import org.inferometer.ui.machines.MachinesCard;
import org.inferometer.ui.machines.OtherMachines;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;
import org.kordamp.ikonli.javafx.FontIcon;

/// Cards for the CPU and each GPU, readiness checks and backends.
public final class DevicesView {
    private static final double GAP = 14;
    private static final int TEXT_COLUMNS = 100;

    private final DevicesViewModel model;
    private final OtherMachines machines;
    private final Notifier notices;
    private final BorderPane root = Panes.named("devices", new BorderPane());
    private final ScrollPane scroll = Panes.named("devices-scroll", new ScrollPane(), StyleClasses.PLAIN_SCROLL);
    private final Button again =
            Panes.named("devices-again", new Button(text("devices.again"), new FontIcon("mdmz-refresh")));
    private final StackPane summary = Panes.named("devices-summary", new StackPane());
    private final List<DeviceCard> cards = new ArrayList<>();
    private @Nullable MachinesCard others;
    private @Nullable NoiseCard noise;
    private boolean calibrationWanted;

    public DevicesView(DevicesViewModel model, OtherMachines machines, Notifier notices) {
        this.model = model;
        this.machines = machines;
        this.notices = notices;
    }

    /// The view's root; called once.
    public Parent createView() {
        root.setTop(new VBox(toolbar(), problem()));
        scroll.setFitToWidth(true);
        // Lets keys scroll it.
        scroll.setFocusTraversable(true);
        scroll.setAccessibleText(text("devices.title"));
        model.stage().addListener((observed, before, now) -> show());
        model.looked().addListener((observed, before, now) -> fill(now));
        model.moment().addListener((observed, before, now) -> update(now));
        model.problem().subscribe(now -> show());
        return root;
    }

    /// Moves the focus to the view.
    public void focusFirst() {
        again.requestFocus();
    }

    /// Moves the focus to the calibration of noise and scrolls to it; as soon as the machine is known.
    public void focusCalibration() {
        NoiseCard card = noise;
        calibrationWanted = card == null;
        if (card == null) {
            again.requestFocus();
            return;
        }
        root.applyCss();
        root.layout();
        Panes.firstFocusable(card).ifPresent(Node::requestFocus);
        Panes.reveal(scroll, card);
    }

    /// Copies everything as the command line prints it.
    public void copyText() {
        MachineView looked = model.looked().get();
        if (looked != null) {
            TextClipboard.copy(DevicesText.of(looked, TEXT_COLUMNS));
            notices.done(text("devices.copied"));
        }
    }

    private Node toolbar() {
        Label lead = Labels.of(text("devices.lead"), Styles.TEXT_MUTED);
        lead.setMinWidth(0);
        summary.setMinWidth(Region.USE_PREF_SIZE);
        again.setTooltip(new Tooltip(text("devices.again.tooltip")));
        again.setMinWidth(Region.USE_PREF_SIZE);
        again.setOnAction(event -> model.refresh());
        // Not disabled meanwhile: that would move the focus.
        model.stage().addListener((observed, before, now) -> again
                .setText(text(now == DevicesViewModel.InspectionState.LOOKING ? "devices.checking" : "devices.again")));
        Button copy = Buttons.of("devices-copy", "mdal-content_copy", text("devices.copy"), this::copyText);
        copy.disableProperty().bind(model.looked().isNull());
        Labels.tellWhole(lead);
        return Panes.styled(
                new EndsRow(Panes.row(12, Labels.fixed(text("devices.title"), StyleClasses.PANE_TITLE), summary, lead),
                        Panes.row(12, again, copy)),
                StyleClasses.TIMELINE_BAR);
    }

    /// Shown above the cards while readings fail.
    private Label problem() {
        Label problem = Panes.named("devices-problem", Labels.wrapped("", StyleClasses.CALLOUT_WARNING));
        problem.textProperty().bind(model.problem().map(why -> text("devices.reading-failed", why)));
        Panes.showWhen(problem,
                model.stage().isEqualTo(DevicesViewModel.InspectionState.READY).and(model.problem().isNotEmpty()));
        return problem;
    }

    private void show() {
        root.setCenter(switch (model.stage().get()) {
            case READY -> scroll;
            case LOOKING ->
                model.looked().get() == null ? message(new ProgressIndicator(), text("devices.looking")) : scroll;
            case FAILED -> message(icon("mdal-error"), text("devices.failed", model.problem().get()));
        });
    }

    private void fill(@Nullable MachineView looked) {
        cards.clear();
        if (looked == null) {
            return;
        }
        summary.getChildren().setAll(summary(looked.checks()));
        MachineReport report = looked.report();
        cards.add(DeviceCard.ofCpu(report));
        for (GpuDescription gpu : report.gpus().gpus()) {
            cards.add(DeviceCard.ofGpu(report.gpus(), gpu,
                    report.gpuStatus().stream().filter(status -> status.index() == gpu.index()).findFirst()));
        }
        List<Node> all = new ArrayList<>(cards);
        if (report.gpus().gpus().isEmpty()) {
            all.add(DeviceCard.withoutGpu(report.gpus()));
        }
        if (others == null) {
            others = new MachinesCard(machines);
        }
        NoiseCard made = new NoiseCard(model.noise());
        noise = made;
        VBox column = Panes.styled(new VBox(GAP, new CardColumns(all), ofChecks(looked.checks()),
                ofBackends(looked.backends()), others, made), StyleClasses.VIEW_BODY);
        column.setMinWidth(0);
        VBox.setVgrow(column, Priority.ALWAYS);
        scroll.setContent(column);
        show();
        if (calibrationWanted) {
            focusCalibration();
        }
    }

    private void update(MachineMonitor.@Nullable Moment moment) {
        cards.forEach(card -> card.show(moment));
    }

    private static FontIcon icon(String name) {
        return Labels.icon(name, StyleClasses.EMPTY_ICON);
    }

    private static Node message(Node mark, String sentence) {
        Label words = Labels.centred(sentence, Styles.TEXT_MUTED);
        words.setMaxWidth(520);
        VBox column = new VBox(14, mark, words);
        column.setAlignment(Pos.CENTER);
        return Panes.named("devices-message", new StackPane(column), StyleClasses.VIEW_BODY);
    }

    /// Cards in as many equally wide columns as fit. As high as the longest column.
    static final class CardColumns extends Region {
        private static final double LEAST_WIDTH = 420;
        private static final double GAP = 14;

        CardColumns(List<? extends Node> cards) {
            setId("device-cards");
            setMinWidth(0);
            getChildren().setAll(cards);
        }

        @Override
        public Orientation getContentBias() {
            return Orientation.HORIZONTAL;
        }

        @Override
        protected double computePrefWidth(double height) {
            return 2 * LEAST_WIDTH + GAP;
        }

        @Override
        protected double computeMinHeight(double width) {
            return computePrefHeight(width);
        }

        @Override
        protected double computePrefHeight(double width) {
            return place(width < 0 ? computePrefWidth(-1) : width, false);
        }

        @Override
        protected void layoutChildren() {
            place(getWidth(), true);
        }

        /// Height of all cards in a width.
        ///
        /// @param move whether they take their places
        private double place(double width, boolean move) {
            int columns = Math.clamp((int) ((width + GAP) / (LEAST_WIDTH + GAP)), 1,
                    Math.max(1, getManagedChildren().size()));
            double each = Math.floor((width - (columns - 1) * GAP) / columns);
            double[] bottoms = new double[columns];
            int column = 0;
            double highest = 0;
            for (Node card : getManagedChildren()) {
                double height = Math.ceil(card.prefHeight(each));
                double top = bottoms[column] == 0 ? 0 : bottoms[column] + GAP;
                if (move) {
                    card.resizeRelocate(column * (each + GAP), top, each, height);
                }
                bottoms[column] = top + height;
                highest = Math.max(highest, bottoms[column]);
                column = (column + 1) % columns;
            }
            return highest;
        }
    }

    /// How much equal experiments differ on this machine, and the button that learns it.
    private static final class NoiseCard extends VBox {
        NoiseCard(NoiseViewModel model) {
            super(8);
            setId("device-noise");
            getStyleClass().addAll(StyleClasses.CARD, StyleClasses.SECTION_CARD);
            Label sentence = Panes.named("device-noise-sentence", Labels.wrapped(""));
            sentence.textProperty().bind(model.sentence());
            Button start = Buttons.of("device-noise-start", "mdmz-straighten", text("noise.start"), model::start);
            start.setTooltip(new Tooltip(text("noise.start.tooltip")));
            Panes.showWhen(start, model.running().not());
            Button cancel = Buttons.of("device-noise-cancel", "mdal-cancel", text("noise.cancel"), model::cancel);
            Panes.showWhen(cancel, model.running());
            getChildren().addAll(Labels.of(text("noise.title"), StyleClasses.PANE_TITLE),
                    Labels.wrapped(text("noise.lead"), Styles.TEXT_MUTED), sentence, Panes.row(8, start, cancel));
            model.refresh();
        }
    }

    /// All checks in one chip.
    private static Label summary(List<ReadinessCheck> checks) {
        long wanting = checks.stream().filter(check -> check.state() == ReadinessCheck.State.ATTENTION).count();
        return wanting == 0 ? Chips.chip(text("devices.fit"), "mdal-check_circle", StyleClasses.CHIP_GOOD)
                : Chips.chip(counted("devices.wanting", wanting), "mdmz-warning", StyleClasses.CHIP_WARN);
    }

    /// The checks of the machine.
    private static Node ofChecks(List<ReadinessCheck> checks) {
        return card("device-checks", "devices.readiness", checks, check -> row(check.name(), switch (check.state()) {
            case READY -> Chips.chip(text("devices.ready"), "mdal-check_circle", StyleClasses.CHIP_GOOD);
            case ATTENTION -> Chips.chip(text("devices.attention"), "mdmz-warning", StyleClasses.CHIP_WARN);
            case ABSENT -> Chips.chip(text("devices.absent"), "mdal-block", StyleClasses.CHIP_NEUTRAL);
            case NOT_CHECKED -> Chips.chip(text("devices.not-checked"), "mdal-help_outline", StyleClasses.CHIP_NEUTRAL);
        }, check.reason()));
    }

    private static Node ofBackends(List<BackendFact> backends) {
        return card("device-backends", "devices.backends", backends, backend -> row(backend.name(),
                backend.usable() ? Chips.chip(text("devices.usable"), "mdal-check_circle", StyleClasses.CHIP_GOOD)
                        : Chips.chip(text("devices.unusable"), "mdal-block", StyleClasses.CHIP_NEUTRAL),
                backend.text()));
    }

    private static Node[] row(String name, Label chip, String reason) {
        StackPane state = new StackPane(chip);
        state.setAlignment(Pos.CENTER_LEFT);
        state.setMinWidth(Region.USE_PREF_SIZE);
        return new Node[]{Labels.fixed(name), state, Labels.wrapped(reason)};
    }

    /// @param key of the title; that of the lead has the ending ".lead"
    private static <E> Node card(String id, String key, List<E> entries, Function<E, Node[]> row) {
        GridPane grid = Panes.named(id, Panes.grid(3, 12, 6));
        entries.forEach(entry -> grid.addRow(grid.getRowCount(), row.apply(entry)));
        return Panes.styled(
                new VBox(8, Labels.of(text(key), StyleClasses.PANE_TITLE),
                        Labels.wrapped(text(key + ".lead"), Styles.TEXT_MUTED), grid),
                StyleClasses.CARD, StyleClasses.SECTION_CARD);
    }
}
