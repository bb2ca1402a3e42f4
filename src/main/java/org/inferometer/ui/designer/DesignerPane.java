package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableValue;
import javafx.collections.ListChangeListener;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.LoadSweep.Measure;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.options.Selection;
import org.inferometer.ui.designer.BackendForm.BackendChoice;
import org.inferometer.ui.designer.EngineChoices.EngineChoice;
import org.inferometer.ui.designer.OptionForm.FoldedOptions;
import org.inferometer.ui.designer.SchedulerChoices.SchedulerChoice;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.ComboBoxes.DescribedCell;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.MemoryBar;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.SearchFields;
import org.inferometer.ui.fx.TextClipboard;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.LetterCase;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.LengthDistribution;
import org.jspecify.annotations.Nullable;
import org.kordamp.ikonli.javafx.FontIcon;

/// The form of an experiment; under it what the experiment will take.
public final class DesignerPane {
    private static final double SHAPE_WIDTH = 200;
    private static final int MOST_FAULTS = 3;
    private final DesignerViewModel model;
    private final Supplier<Optional<String>> start;
    private final Notifier notifier;
    private final Runnable addEngines;
    private final VBox engineList = Panes.named("designer-engines", new VBox(2));
    private final VBox root = Panes.named("designer", new VBox(), StyleClasses.DESIGNER);
    private final ScrollPane scroll = Panes.scroll(new VBox());
    private final FoldButton allEngines = new FoldButton("designer-engines-all", "");
    private final TextField wanted = SearchFields.of("designer-engines-find", text("designer.engines-find"));

    /// @param start runs the experiment, or returns the key of the first field with a fault
    /// @param addEngines asks for a folder of engines and imports them
    public DesignerPane(DesignerViewModel model, Supplier<Optional<String>> start, Notifier notifier,
            Runnable addEngines) {
        this.model = model;
        this.start = start;
        this.notifier = notifier;
        this.addEngines = addEngines;
    }

    /// The pane; called once.
    public Node createView() {
        Node engines = group("designer.engines", engines());
        Node schedulers = group("designer.schedulers", schedulers());
        // An external target has a model and a scheduler of its own.
        ObservableValue<Boolean> own = model.backend().chosen().map(chosen -> !chosen.outside());
        Panes.showWhen(engines, own);
        Panes.showWhen(schedulers, own);
        Node limits = limits();
        Panes.showWhen(limits, own);
        VBox form = Panes.styled(new VBox(group("designer.experiment", new PresetForm(model, notifier)),
                group("designer.driven", driven()), engines, schedulers, group("designer.workload", workload()),
                group("designer.phases", new VBox(6, phases(), limits))), StyleClasses.DESIGNER_FORM);
        scroll.setContent(form);
        scroll.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
        scroll.setFocusTraversable(false);
        VBox.setVgrow(scroll, Priority.ALWAYS);
        root.getChildren().addAll(header(), scroll, footer());
        return root;
    }

    /// Runs the experiment, or shows the first fault and moves the focus to it.
    public void run() {
        start.get().ifPresent(this::show);
    }

    /// Shows a field and moves the focus to it, or to the first part of it that takes the focus.
    private void show(String key) {
        Optional.ofNullable(root.lookup("#" + key.replace('.', '-'))).ifPresent(field -> {
            FoldButton.unfold(field);
            Panes.firstFocusable(field).orElse(field).requestFocus();
            Panes.reveal(scroll, field);
        });
    }

    /// Copies the command that runs the same experiment.
    public void copyCommand() {
        model.check();
        Optional<ExperimentSpec> spec = model.spec();
        if (spec.isEmpty()) {
            notifier.problem(text("notice.command-incomplete"));
            return;
        }
        model.command(spec.get()).ifPresentOrElse(command -> {
            TextClipboard.copy(command);
            notifier.done(text("notice.command-copied"));
        }, () -> notifier.problem(text("notice.command-custom")));
    }

    private Node header() {
        return Panes.styled(
                Panes.row(6, Labels.of(text("designer.title"), StyleClasses.PANE_TITLE), Panes.spacer(),
                        Buttons.icon("designer-copy", "mdal-code", text("designer.copy-command"), this::copyCommand)),
                StyleClasses.PANE_HEADER);
    }

    private Node footer() {
        Label estimate = Panes.named("designer-estimate", Labels.wrapped("", Styles.TEXT_MUTED, Styles.TEXT_SMALL));
        estimate.textProperty().bind(model.preview().map(PlanPreview::estimate).map(Labels::unbroken));
        MemoryBar bar = new MemoryBar("designer-memory-bar");
        Label over = Panes.named("designer-memory-over", Labels.wrapped("", StyleClasses.FAULT, Styles.TEXT_SMALL));
        model.preview().subscribe(preview -> {
            Panes.show(bar, preview.memory().isPresent());
            Panes.show(over, preview.memory().filter(PlanPreview.MemoryNeed::over).isPresent());
            preview.memory().ifPresent(need -> {
                over.setText(text("designer.memory-over",
                        QuantityText.bytes(need.weightBytes() + need.kvBytes() - need.deviceBytes())));
                bar.show(need.weightBytes(), need.kvBytes(), need.deviceBytes(), preview.estimate());
            });
        });
        VBox faults = Panes.named("designer-faults", new VBox(2));
        model.preview().subscribe(preview -> {
            faults.getChildren().setAll(preview.faults().stream().limit(MOST_FAULTS).map(this::fault).toList());
            Panes.show(faults, !preview.faults().isEmpty());
            Panes.show(estimate, preview.faults().isEmpty());
        });
        return Panes.styled(new VBox(6, bar, faults, estimate, over), StyleClasses.DESIGNER_FOOTER);
    }

    /// A fault of the experiment; a click leads to its field.
    private Node fault(FormFault fault) {
        Label sentence = Labels.wrapped(fault.toString(), StyleClasses.FAULT, Styles.TEXT_SMALL);
        if (fault.key().isEmpty()) {
            return sentence;
        }
        Hyperlink link =
                Buttons.link("fault-" + fault.key().replace('.', '-'), fault.toString(), () -> show(fault.key()));
        link.setWrapText(true);
        link.setMinHeight(Region.USE_PREF_SIZE);
        link.getStyleClass().addAll(StyleClasses.FAULT, Styles.TEXT_SMALL);
        return link;
    }

    private Node engines() {
        wanted.textProperty().addListener((observed, before, now) -> {
            showEngines();
            wanted.requestFocus();
            wanted.end();
        });
        allEngines.selectedProperty().addListener((observed, before, now) -> {
            wanted.clear();
            showEngines();
        });
        model.engines().all().addListener((ListChangeListener<EngineChoice>) change -> showEngines());
        showEngines();
        return new VBox(4, engineList, fault("designer-engines-message", model.engines().error()));
    }

    private void showEngines() {
        String part = LetterCase.lower(wanted.getText().strip());
        List<EngineChoice> shown = model.engines().all().stream().filter(
                choice -> allEngines.isSelected() ? choice.name().contains(part) : model.engines().shownFirst(choice))
                .toList();
        boolean few = model.engines().all().stream().allMatch(model.engines()::shownFirst);
        engineList.getChildren().clear();
        if (!few && allEngines.isSelected()) {
            engineList.getChildren().add(wanted);
        }
        engineList.getChildren().addAll(shown.stream().map(DesignerPane::engineRow).toList());
        if (model.engines().all().isEmpty()) {
            engineList.getChildren().add(Labels.wrapped(text("designer.engines-none"), Styles.TEXT_MUTED));
        } else if (shown.isEmpty()) {
            engineList.getChildren().add(Labels.wrapped(text("designer.engines-no-match", part), Styles.TEXT_MUTED));
        }
        Hyperlink add = Buttons.link("designer-add-engines", text("engines.add"), addEngines);
        add.setTooltip(new Tooltip(text("engines.add.tooltip")));
        HBox below = Panes.row(6, add, Panes.spacer());
        if (!few) {
            allEngines.setText(text(allEngines.isSelected() ? "designer.engines-fewer" : "designer.engines-all",
                    model.engines().all().size()));
            below.getChildren().add(allEngines);
        }
        engineList.getChildren().add(below);
    }

    private static Node engineRow(EngineChoice choice) {
        CheckBox tick = new CheckBox(choice.name());
        tick.setMnemonicParsing(false);
        tick.setId("engine-" + choice.name());
        tick.selectedProperty().bindBidirectional(choice.selected());
        tick.setDisable(!choice.usable());
        tick.setMinWidth(0);
        HBox row = Panes.styled(Panes.row(6, tick, Panes.spacer()), StyleClasses.ENGINE_ROW);
        if (!choice.precision().isEmpty()) {
            row.getChildren().add(Labels.fixed(choice.precision(), StyleClasses.TAG, StyleClasses.TAG_PRECISION));
        }
        if (choice.synthetic() && choice.usable()) {
            row.getChildren().add(Labels.fixed(text("engine.synthetic"), StyleClasses.TAG, StyleClasses.TAG_QUIET));
        }
        if (!choice.usable()) {
            row.getChildren().add(Labels.fixed(text("engine.damaged"), StyleClasses.TAG, StyleClasses.TAG_BAD));
        }
        Tooltip.install(row, new Tooltip(choice.detail()));
        return row;
    }

    private Node schedulers() {
        VBox list = Panes.named("designer-schedulers", new VBox(2));
        SchedulerChoices choices = model.schedulers();
        Map<SchedulerChoice, SchedulerForm> forms = new HashMap<>();
        Runnable show = () -> {
            forms.keySet().retainAll(choices.all());
            list.getChildren().setAll(choices.all().stream()
                    .map(choice -> forms.computeIfAbsent(choice, made -> new SchedulerForm(made, choices))).toList());
        };
        choices.all().addListener((ListChangeListener<SchedulerChoice>) change -> show.run());
        show.run();
        ComboBox<SchedulerChoices.Baseline> baseline =
                Panes.named("designer-baseline", new ComboBox<>(choices.baselines()));
        baseline.valueProperty().bindBidirectional(choices.baseline());
        baseline.setMaxWidth(Double.MAX_VALUE);
        baseline.setTooltip(new Tooltip(text("designer.baseline-help")));
        Node compared = FieldRow.labelled(text("designer.baseline"), baseline);
        Panes.showWhen(compared, Bindings.size(choices.baselines()).greaterThan(1));
        return new VBox(6, list, fault("designer-schedulers-message", model.schedulersError()), compared);
    }

    private Node workload() {
        WorkloadViewModel load = model.workload();
        ComboBox<String> preset = Panes.named("designer-preset", new ComboBox<>());
        preset.getItems().setAll(load.presetNames());
        preset.setCellFactory(list -> new DescribedCell<>(load::purpose, SHAPE_WIDTH));
        preset.valueProperty().bindBidirectional(load.preset());
        preset.setMaxWidth(Double.MAX_VALUE);
        Label purpose =
                Panes.named("designer-preset-purpose", Labels.wrapped("", Styles.TEXT_MUTED, Styles.TEXT_SMALL));
        load.preset().subscribe(chosen -> {
            purpose.setText(load.purpose(chosen));
            Panes.show(purpose, !purpose.getText().isEmpty());
        });
        HBox lengths = Panes.row(16, histogram("designer.lengths-prompt", load.promptTokens()),
                histogram("designer.lengths-output", load.outputTokens()));
        VBox rows = new VBox(6, FieldRow.labelled(text("designer.preset"), preset), purpose, lengths,
                FieldRow.of(load.promptTokens()), FieldRow.of(load.outputTokens()),
                new VBox(2, Labels.of(text("designer.arrivals"), StyleClasses.FIELD_LABEL), arrivals(load)));
        for (Measure measure : Measure.values()) {
            FieldRow row = FieldRow.of(load.strength(measure));
            Panes.showWhen(row, load.arrivals().isEqualTo(measure));
            rows.getChildren().add(row);
        }
        FieldRow other = FieldRow.of(load.otherArrivals());
        Panes.showWhen(other, load.arrivals().isNull());
        rows.getChildren().addAll(other, FieldRow.of(load.requests()),
                folded("designer-workload-more", "designer.more", load.details(), load.detailed()));
        return rows;
    }

    private static LengthHistogram histogram(String key, FieldViewModel<LengthDistribution> lengths) {
        return new LengthHistogram(text(key), lengths.text(), lengths::value);
    }

    /// Fields that few experiments change, folded unless one is set or has a fault.
    private static Node folded(String id, String key, List<FieldViewModel<?>> fields, boolean open) {
        VBox rows = new VBox(6);
        fields.forEach(field -> rows.getChildren().add(FieldRow.of(field)));
        FoldButton fold = new FoldButton(id, text(key)).folding(rows);
        fold.setSelected(open);
        fields.forEach(field -> field.error().addListener((observed, before, now) -> {
            if (!now.isEmpty()) {
                fold.setSelected(true);
            }
        }));
        fields.forEach(field -> field.text().addListener((observed, before, now) -> {
            if (!now.isBlank()) {
                fold.setSelected(true);
            }
        }));
        return new VBox(4, fold, rows);
    }

    private Node limits() {
        boolean set = model.limitFields().stream().anyMatch(field -> !field.text().get().isBlank());
        return folded("designer-limits", "designer.limits", model.limitFields(), set);
    }

    private static Node arrivals(WorkloadViewModel load) {
        ToggleGroup group = new ToggleGroup();
        HBox toggles = new HBox();
        for (Measure measure : Measure.values()) {
            toggles.getChildren().add(arrivals(measure.id(), group,
                    measure.ordinal() == 0 ? Styles.LEFT_PILL : Styles.CENTER_PILL, measure));
        }
        toggles.getChildren().add(arrivals("other", group, Styles.RIGHT_PILL, null));
        Runnable show = () -> group.getToggles()
                .forEach(toggle -> toggle.setSelected(toggle.getUserData() == load.arrivals().get()));
        load.arrivals().subscribe(now -> show.run());
        group.selectedToggleProperty().addListener((observed, before, now) -> {
            if (now != null) {
                load.arrivals().set((Measure) now.getUserData());
            } else {
                // A click on the selected toggle deselects it.
                show.run();
            }
        });
        return toggles;
    }

    private static ToggleButton arrivals(String id, ToggleGroup group, String shape, @Nullable Measure measure) {
        ToggleButton toggle = Panes.named("arrivals-" + id, new ToggleButton(text("arrivals." + id)), shape,
                StyleClasses.ARRIVAL_KIND);
        toggle.setUserData(measure);
        toggle.setToggleGroup(group);
        return toggle;
    }

    private Node driven() {
        ComboBox<BackendChoice> backend = Panes.named("designer-backend", new ComboBox<>());
        backend.setItems(model.backend().choices());
        backend.valueProperty().bindBidirectional(model.backend().chosen());
        backend.setMaxWidth(Double.MAX_VALUE);
        VBox options = new VBox();
        Runnable showOptions = () -> {
            // A target needs its address; a backend rarely needs more than its defaults.
            options.getChildren().setAll(
                    new FoldedOptions(SubjectForm.BACKEND, model.backend().options(), model.backend().outside()));
        };
        model.backend().chosen().subscribe(now -> showOptions.run());
        Label others = Labels.message("designer-other-targets",
                Bindings.createStringBinding(() -> otherTargets(model.backend().others()), model.backend().others()),
                Styles.TEXT_MUTED, Styles.TEXT_SMALL);
        return new VBox(6, new MachineRow(model.machine()), FieldRow.labelled(text("designer.backend"), backend),
                options, others, Labels.message("designer-lanes", model.preview().map(PlanPreview::lanes),
                        Styles.TEXT_MUTED, Styles.TEXT_SMALL),
                targets());
    }

    /// Servers and tools beside the engines, each with its options.
    private Node targets() {
        VBox list = new VBox(6);
        Runnable show = () -> list.getChildren().setAll(model.targets().forms().stream().map(this::target).toList());
        model.targets().forms().addListener((ListChangeListener<TargetForms.TargetForm>) change -> show.run());
        show.run();
        MenuButton add = Panes.named("designer-add-target",
                new MenuButton(text("designer.add-target"), new FontIcon("mdal-add")), Styles.FLAT, Styles.SMALL);
        for (BackendChoice kind : model.targets().kinds()) {
            add.getItems().add(Buttons.item("designer-add-" + kind.selection().name(), kind.label(),
                    () -> model.targets().add(kind)));
        }
        Panes.show(add, !add.getItems().isEmpty());
        return new VBox(6, list, add);
    }

    private Node target(TargetForms.TargetForm target) {
        Button remove = Buttons.icon(target.key() + "-remove", "mdal-close", text("designer.remove-target"),
                () -> model.targets().remove(target));
        return new VBox(4, Panes.row(2, Labels.of(target.kind().label()), Panes.spacer(), remove),
                new OptionForm(target.key(), List.of(new OptionGroup("", target.options()))));
    }

    private static String otherTargets(List<Selection> targets) {
        return targets.isEmpty() ? "" : text("designer.other-targets",
                targets.stream().map(target -> new TargetSubject(target).label()).collect(Collectors.joining(", ")));
    }

    private Node phases() {
        VBox fields = new VBox(6);
        model.phaseFields().forEach(field -> fields.getChildren().add(FieldRow.of(field)));
        CheckBox search = Panes.named("designer-search", new CheckBox(text("designer.search")));
        search.setWrapText(true);
        search.setTooltip(new Tooltip(text("designer.search-help")));
        search.selectedProperty().bindBidirectional(model.search());
        search.disableProperty().bind(model.searchable().not());
        Label needs = Labels.wrapped(text("designer.search-needs"), Styles.TEXT_MUTED, Styles.TEXT_SMALL);
        Panes.showWhen(needs, search.disableProperty());
        fields.getChildren().addAll(search, needs);
        return fields;
    }

    private static Node group(String key, Node content) {
        return Panes.styled(new VBox(8, Labels.of(text(key), StyleClasses.GROUP_TITLE), content),
                StyleClasses.DESIGNER_GROUP);
    }

    private static Label fault(String id, ObservableValue<String> error) {
        return Labels.message(id, error, StyleClasses.FIELD_MESSAGE, StyleClasses.FAULT);
    }
}
