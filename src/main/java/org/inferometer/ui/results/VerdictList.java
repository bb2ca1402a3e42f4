package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.controls.Popover;
import atlantafx.base.theme.Styles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.geometry.Pos;
import javafx.scene.AccessibleRole;
import javafx.scene.Node;
import javafx.scene.control.ContentDisplay;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.Verdict;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.TailRow;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.wording.Voice;
import org.kordamp.ikonli.javafx.FontIcon;

/// The verdict of an experiment: its chip, and its conditions, one line each, with remedies.
public final class VerdictList {
    private static final double WIDTH = 520;
    private static final double MOST_HEIGHT = 420;

    private VerdictList() {}

    /// Conditions, unmet ones first. Those of which the same is said share a line.
    ///
    /// @param showDevices shows the Devices view, which some remedies need
    public static Node createView(Verdict verdict, Runnable showDevices) {
        VBox list = Panes.styled(new VBox(6), StyleClasses.VERDICT_LIST);
        Map<String, List<Verdict.Condition>> lines = new LinkedHashMap<>();
        verdict.conditions().stream().sorted(Comparator.comparingInt(VerdictList::rank)).forEach(
                condition -> lines.computeIfAbsent(condition.observed().isEmpty() ? condition.name() : words(condition),
                        words -> new ArrayList<>()).add(condition));
        lines.values().forEach(conditions -> list.getChildren().add(line(conditions, showDevices)));
        return list;
    }

    private static int rank(Verdict.Condition condition) {
        return switch (condition.state()) {
            case BROKEN -> 0;
            case TOO_LITTLE -> 1;
            case WARNING -> 2;
            case MET -> 3;
            case NOT_CHECKED -> 4;
        };
    }

    /// "not checked · no readings".
    private static String words(Verdict.Condition condition) {
        String state = switch (condition.state()) {
            case MET -> text("condition.met");
            case BROKEN -> text("condition.broken");
            case TOO_LITTLE -> text("condition.too-little");
            case WARNING -> text("condition.warning");
            case NOT_CHECKED -> text("condition.not-checked");
        };
        return String.join(" · ", Stream.of(state, condition.observed(), condition.remedy(Voice.WINDOW))
                .filter(word -> !word.isEmpty()).distinct().toList());
    }

    /// @param conditions of one state, with the same words; at least one
    private static Node line(List<Verdict.Condition> conditions, Runnable showDevices) {
        Verdict.Condition condition = conditions.getFirst();
        FontIcon icon = switch (condition.state()) {
            case MET -> Labels.icon("mdal-check_circle", StyleClasses.STATE_ENDED);
            case BROKEN -> Labels.icon("mdal-error", StyleClasses.STATE_FAILED);
            case TOO_LITTLE -> Labels.icon("mdal-hourglass_empty", StyleClasses.STATE_RUNNING);
            case WARNING -> Labels.icon("mdmz-warning", StyleClasses.STATE_CAUTION);
            case NOT_CHECKED -> Labels.icon("mdal-help_outline", StyleClasses.STATE_PLANNED);
        };
        Region words = Labels.wrapped(words(condition), Styles.TEXT_MUTED);
        Region observed = condition.needsSelfCheck() ? devicesBehind(words, showDevices) : Panes.filling(words);
        String names = conditions.stream().map(Verdict.Condition::name).collect(Collectors.joining("\n"));
        return Panes.topRow(8, icon, Labels.fixed(names), observed);
    }

    /// Words that advise a calibration, and a link to the Devices view behind them where there is room, else below them.
    ///
    /// @param words take the width that is left
    static Region devicesBehind(Region words, Runnable showDevices) {
        Hyperlink link = Buttons.link("advice-devices", text("advice.show-devices"), showDevices);
        link.setMinWidth(Region.USE_PREF_SIZE);
        return Panes.filling(new TailRow(words, link));
    }

    /// The chip: "Invalid: 2 of 4 runs". A click, Enter or Space shows the conditions.
    ///
    /// @param cells counted for their INVALID runs
    /// @param showDevices shows the Devices view, which some remedies need
    public static Label chip(Verdict verdict, Iterable<CellSummary> cells, Runnable showDevices) {
        Label chip = Panes.named("verdict-chip", Chips.of(verdict.grade()));
        chip.setText(chipWords(verdict, cells, chip.getText()));
        if (verdict.conditions().isEmpty()) {
            return chip;
        }
        FontIcon opens = new FontIcon("mdal-expand_more");
        // A label has its graphic on one side alone.
        Label words = new Label(chip.getText());
        words.textFillProperty().bind(chip.textFillProperty());
        HBox content = new HBox(4, chip.getGraphic(), words, opens);
        content.setAlignment(Pos.CENTER_LEFT);
        chip.setGraphic(content);
        chip.setContentDisplay(ContentDisplay.GRAPHIC_ONLY);
        chip.getStyleClass().add(StyleClasses.CHIP_OPENS);
        chip.setTooltip(new Tooltip(text("verdict.open")));
        chip.setAccessibleRole(AccessibleRole.BUTTON);
        chip.setFocusTraversable(true);
        chip.addEventHandler(MouseEvent.MOUSE_CLICKED, event -> open(verdict, chip, showDevices));
        chip.addEventHandler(KeyEvent.KEY_PRESSED, event -> {
            if (event.getCode() == KeyCode.ENTER || event.getCode() == KeyCode.SPACE) {
                open(verdict, chip, showDevices);
                event.consume();
            }
        });
        return chip;
    }

    private static String chipWords(Verdict verdict, Iterable<CellSummary> cells, String grade) {
        int runs = 0;
        int invalid = 0;
        for (CellSummary cell : cells) {
            Integer broken = cell.invalidRuns();
            runs += cell.runs();
            invalid += broken == null ? 0 : broken;
        }
        return verdict.grade() == Verdict.Grade.INVALID && invalid > 0
                ? text("verdict.invalid-runs", grade, invalid, counted("verdict.runs", runs)) : grade;
    }

    private static void open(Verdict verdict, Node owner, Runnable showDevices) {
        Popover popover = new Popover();
        ScrollPane conditions = new ScrollPane(createView(verdict, () -> {
            popover.hide();
            showDevices.run();
        }));
        conditions.setFitToWidth(true);
        conditions.setPrefWidth(WIDTH);
        conditions.setMaxHeight(MOST_HEIGHT);
        conditions.setId("verdict-conditions");
        conditions.setFocusTraversable(true);
        popover.setContentNode(conditions);
        popover.setTitle(text("card.verdict-title"));
        popover.setHeaderAlwaysVisible(true);
        popover.setDetachable(false);
        popover.setArrowLocation(Popover.ArrowLocation.TOP_CENTER);
        // The first link would take the focus and scroll down to itself.
        popover.setOnShown(event -> {
            conditions.requestFocus();
            conditions.setVvalue(0);
        });
        popover.show(owner);
    }
}
