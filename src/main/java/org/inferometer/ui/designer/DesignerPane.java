package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.ui.bench.BenchViewModel;
import org.inferometer.ui.fx.Notifier;
import org.kordamp.ikonli.javafx.FontIcon;

/// The form: engines, schedulers, load and phases; under it what the experiment will take.
public final class DesignerPane {
    private static final double WIDTH = 340;
    private final BenchViewModel model;
    private final DesignerViewModel designer;
    private final Notifier notices;
    private final Runnable addEngines;
    private final VBox engineList = new VBox(2);
    private final VBox root = new VBox();
    private boolean allEngines;

    /// @param addEngines asks for a folder of engines and takes them in
    public DesignerPane(BenchViewModel model, Notifier notices, Runnable addEngines) {
        this.addEngines = addEngines;
        this.model = model;
        this.designer = model.designer();
        this.notices = notices;
    }

    public Node createView() {
        Node engines = group("designer.engines", engines());
        Node schedulers = group("designer.schedulers", schedulers());
        Runnable showOwn = () -> List.of(engines, schedulers).forEach(own -> {
            // A target outside brings its own model and its own scheduler.
            own.setVisible(!designer.backend().outside());
            own.setManaged(own.isVisible());
        });
        designer.backend().chosen().addListener((observed, before, now) -> showOwn.run());
        showOwn.run();
        VBox form = new VBox(group("designer.driven", driven()), engines, schedulers,
                group("designer.workload", workload()), group("designer.phases", phases()));
        form.getStyleClass().add("designer-form");
        ScrollPane scroll = new ScrollPane(form);
        scroll.setFitToWidth(true);
        scroll.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
        scroll.setFocusTraversable(false);
        scroll.getStyleClass().add("plain-scroll");
        VBox.setVgrow(scroll, Priority.ALWAYS);
        root.setId("designer");
        root.getStyleClass().add("designer");
        root.setMinWidth(WIDTH);
        root.setPrefWidth(WIDTH);
        root.setMaxWidth(WIDTH);
        root.getChildren().addAll(header(), scroll, footer());
        return root;
    }

    /// Runs the experiment, or moves the focus to the first fault.
    public void run() {
        Optional<String> fault = model.runDesigned();
        fault.ifPresent(key -> {
            Node field = root.lookup("#" + key.replace('.', '-'));
            if (field != null) {
                field.requestFocus();
            }
        });
    }

    /// Puts the command that runs the same experiment on the clipboard.
    public void copyCommand() {
        designer.check();
        Optional<ExperimentSpec> spec = designer.spec();
        if (spec.isEmpty()) {
            notices.problem(text("notice.command-incomplete"));
            return;
        }
        model.command(spec.get()).ifPresentOrElse(command -> {
            ClipboardContent content = new ClipboardContent();
            content.putString(command);
            Clipboard.getSystemClipboard().setContent(content);
            notices.done(text("notice.command-copied"));
        }, () -> notices.problem(text("notice.command-custom")));
    }

    private Node header() {
        Label title = new Label(text("designer.title"));
        title.getStyleClass().add("pane-title");
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        Button copy = tool("designer-copy", "mdal-code", "designer.copy-command");
        copy.setOnAction(event -> copyCommand());
        HBox header = new HBox(6, title, space, copy);
        header.setAlignment(Pos.CENTER_LEFT);
        header.getStyleClass().add("pane-header");
        return header;
    }

    private Node footer() {
        Label estimate = new Label();
        estimate.setId("designer-estimate");
        estimate.setWrapText(true);
        estimate.setMinHeight(Region.USE_PREF_SIZE);
        estimate.getStyleClass().addAll("muted", "small-text");
        estimate.textProperty().bind(model.estimate());
        Button run = new Button(text("action.run-experiment"), new FontIcon("mdmz-play_arrow"));
        run.setId("designer-run");
        run.getStyleClass().addAll("accent", "button-outlined");
        run.setMaxWidth(Double.MAX_VALUE);
        run.disableProperty().bind(model.running());
        run.setOnAction(event -> run());
        VBox footer = new VBox(8, estimate, run);
        footer.getStyleClass().add("designer-footer");
        return footer;
    }

    private Node engines() {
        engineList.setId("designer-engines");
        designer.engines().addListener((javafx.collections.ListChangeListener<EngineChoice>) change -> showEngines());
        showEngines();
        return new VBox(4, engineList, fault(designer.enginesError(), "designer-engines-message"));
    }

    private void showEngines() {
        if (designer.engines().isEmpty()) {
            Label none = new Label(text("designer.engines-none"));
            none.getStyleClass().add("muted");
            none.setWrapText(true);
            engineList.getChildren().setAll(none, addLink());
            return;
        }
        List<EngineChoice> shown =
                designer.engines().stream().filter(choice -> allEngines || designer.shownFirst(choice)).toList();
        engineList.getChildren().setAll(shown.stream().map(DesignerPane::engineRow).toList());
        if (shown.size() < designer.engines().size()) {
            Hyperlink all = new Hyperlink(text("designer.engines-all", designer.engines().size()));
            all.setId("designer-engines-all");
            all.setOnAction(event -> {
                allEngines = true;
                showEngines();
            });
            engineList.getChildren().add(all);
        }
        if (!designer.engines().isEmpty() && shown.size() == designer.engines().size()) {
            engineList.getChildren().add(addLink());
        }
    }

    private Node addLink() {
        Hyperlink add = new Hyperlink(text("engines.add"));
        add.setId("designer-add-engines");
        add.setTooltip(new Tooltip(text("engines.add.tooltip")));
        add.setOnAction(event -> {
            add.setVisited(false);
            addEngines.run();
        });
        return add;
    }

    private static Node engineRow(EngineChoice choice) {
        CheckBox tick = new CheckBox(choice.name());
        tick.setId("engine-" + choice.name());
        tick.selectedProperty().bindBidirectional(choice.selected());
        tick.setDisable(!choice.usable());
        tick.setMinWidth(0);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox row = new HBox(6, tick, space);
        row.setAlignment(Pos.CENTER_LEFT);
        row.getStyleClass().add("engine-row");
        if (!choice.precision().isEmpty()) {
            row.getChildren().add(tag(choice.precision(), "tag-precision"));
        }
        if (choice.synthetic() && choice.usable()) {
            row.getChildren().add(tag(text("engine.synthetic"), "tag-quiet"));
        }
        if (!choice.usable()) {
            row.getChildren().add(tag(text("engine.damaged"), "tag-bad"));
        }
        Tooltip.install(row, new Tooltip(choice.detail()));
        return row;
    }

    private Node schedulers() {
        VBox list = new VBox(2);
        list.setId("designer-schedulers");
        SchedulerChoices choices = designer.schedulers();
        Map<SchedulerChoice, SchedulerForm> forms = new HashMap<>();
        Runnable show = () -> {
            forms.keySet().retainAll(choices.all());
            list.getChildren().setAll(choices.all().stream()
                    .map(choice -> forms.computeIfAbsent(choice, made -> new SchedulerForm(made, choices))).toList());
        };
        choices.all().addListener((javafx.collections.ListChangeListener<SchedulerChoice>) change -> show.run());
        show.run();
        ComboBox<SchedulerChoices.Baseline> baseline = new ComboBox<>(choices.baselines());
        baseline.setId("designer-baseline");
        baseline.valueProperty().bindBidirectional(choices.baseline());
        baseline.setMaxWidth(Double.MAX_VALUE);
        baseline.setTooltip(new Tooltip(text("designer.baseline-help")));
        Node compared = labelled("designer.baseline", baseline);
        Runnable showBaseline = () -> {
            compared.setVisible(choices.baselines().size() > 1);
            compared.setManaged(compared.isVisible());
        };
        choices.baselines().addListener(
                (javafx.collections.ListChangeListener<SchedulerChoices.Baseline>) change -> showBaseline.run());
        showBaseline.run();
        return new VBox(6, list, fault(designer.schedulersError(), "designer-schedulers-message"), compared);
    }

    private Node workload() {
        WorkloadViewModel load = designer.workload();
        ComboBox<String> preset = new ComboBox<>();
        preset.setId("designer-preset");
        preset.getItems().setAll(load.presetNames());
        preset.valueProperty().bindBidirectional(load.preset());
        preset.setMaxWidth(Double.MAX_VALUE);
        ToggleButton closed = new ToggleButton(text("arrivals.closed"));
        closed.setId("arrivals-closed");
        ToggleButton poisson = new ToggleButton(text("arrivals.poisson"));
        poisson.setId("arrivals-poisson");
        closed.getStyleClass().addAll("left-pill", "arrival-kind");
        poisson.getStyleClass().addAll("right-pill", "arrival-kind");
        ToggleGroup group = new ToggleGroup();
        group.getToggles().setAll(closed, poisson);
        HBox kinds = new HBox(closed, poisson);
        FieldRow concurrency = FieldRow.of(load.concurrency());
        FieldRow rate = FieldRow.of(load.rate());
        Runnable show = () -> {
            boolean isClosed = load.arrivals().get() == ArrivalKind.CLOSED;
            group.selectToggle(isClosed ? closed : poisson);
            concurrency.setVisible(isClosed);
            concurrency.setManaged(isClosed);
            boolean isPoisson = load.arrivals().get() == ArrivalKind.POISSON;
            rate.setVisible(isPoisson);
            rate.setManaged(isPoisson);
        };
        closed.setOnAction(event -> {
            load.arrivals().set(ArrivalKind.CLOSED);
            show.run();
        });
        poisson.setOnAction(event -> {
            load.arrivals().set(ArrivalKind.POISSON);
            show.run();
        });
        load.arrivals().addListener((observed, before, now) -> show.run());
        show.run();
        // Arrow keys choose without an action.
        group.selectedToggleProperty().addListener((observed, before, now) -> {
            boolean wasClosed = load.arrivals().get() == ArrivalKind.CLOSED;
            if (now == closed && !wasClosed) {
                load.arrivals().set(ArrivalKind.CLOSED);
            } else if (now == poisson && wasClosed) {
                load.arrivals().set(ArrivalKind.POISSON);
            }
        });
        return new VBox(6, labelled("designer.preset", preset), FieldRow.of(load.promptTokens()),
                FieldRow.of(load.outputTokens()), labelled("designer.arrivals", kinds), concurrency, rate,
                FieldRow.of(load.requests()));
    }

    private Node driven() {
        ComboBox<BackendChoice> backend = new ComboBox<>();
        backend.setId("designer-backend");
        backend.getItems().setAll(model.backends());
        backend.valueProperty().bindBidirectional(designer.backend().chosen());
        backend.setMaxWidth(Double.MAX_VALUE);
        VBox options = new VBox();
        Hyperlink more = new Hyperlink();
        more.setId("designer-backend-options");
        Runnable showOptions = () -> {
            List<OptionViewModel> shown = designer.backend().options();
            // A server cannot do without its address; the CPU rarely needs more than its defaults.
            boolean open =
                    designer.backend().outside() || shown.stream().anyMatch(option -> option.changed().isPresent());
            OptionForm form = new OptionForm(DesignerViewModel.BACKEND, List.of(new OptionGroup("", shown)));
            more.setText(text(shown.size() == 1 ? "designer.options.one" : "designer.options.other", shown.size()));
            more.setOnAction(event -> options.getChildren().setAll(form));
            options.getChildren().setAll(open ? form : more);
        };
        designer.backend().chosen().addListener((observed, before, now) -> showOptions.run());
        showOptions.run();
        Label lanes = new Label();
        lanes.setId("designer-lanes");
        lanes.setWrapText(true);
        lanes.setMinHeight(Region.USE_PREF_SIZE);
        lanes.getStyleClass().addAll("muted", "small-text");
        lanes.textProperty().bind(model.lanes());
        lanes.visibleProperty().bind(model.lanes().isNotEmpty());
        lanes.managedProperty().bind(lanes.visibleProperty());
        return new VBox(6, labelled("designer.backend", backend), options, lanes);
    }

    private Node phases() {
        VBox fields = new VBox(6);
        designer.phaseFields().forEach(field -> fields.getChildren().add(FieldRow.of(field)));
        CheckBox search = new CheckBox(text("designer.search"));
        search.setId("designer-search");
        search.setTooltip(new Tooltip(text("designer.search-help")));
        search.selectedProperty().bindBidirectional(designer.search());
        search.disableProperty().bind(designer.searchable().not());
        Label why = new Label(text("designer.search-needs"));
        why.setWrapText(true);
        why.setMinHeight(Region.USE_PREF_SIZE);
        why.getStyleClass().addAll("muted", "small-text");
        why.visibleProperty().bind(search.disableProperty());
        why.managedProperty().bind(why.visibleProperty());
        fields.getChildren().addAll(search, why);
        return fields;
    }

    private static Node labelled(String key, Node control) {
        Label label = new Label(text(key));
        label.setLabelFor(control);
        label.getStyleClass().add("field-label");
        HBox.setHgrow(control, Priority.ALWAYS);
        HBox line = new HBox(8, label, control);
        line.setAlignment(Pos.CENTER_LEFT);
        line.getStyleClass().add("field-row");
        return line;
    }

    private static Node group(String key, Node content) {
        Label title = new Label(text(key));
        title.getStyleClass().add("group-title");
        VBox group = new VBox(8, title, content);
        group.getStyleClass().add("designer-group");
        return group;
    }

    private static Label tag(String word, String styleClass) {
        Label tag = new Label(word);
        tag.getStyleClass().addAll("tag", styleClass);
        tag.setMinWidth(Region.USE_PREF_SIZE);
        return tag;
    }

    private static Label fault(ObservableValue<String> error, String id) {
        Label label = new Label();
        label.setId(id);
        label.setWrapText(true);
        label.getStyleClass().addAll("field-message", "fault");
        label.textProperty().bind(error);
        label.visibleProperty().bind(label.textProperty().isNotEmpty());
        label.managedProperty().bind(label.visibleProperty());
        return label;
    }

    private static Button tool(String id, String icon, String key) {
        Button button = new Button(null, new FontIcon(icon));
        button.setId(id);
        button.getStyleClass().addAll("flat", "button-icon");
        button.setTooltip(new Tooltip(text(key)));
        button.setAccessibleText(text(key));
        return button;
    }
}
