package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.controls.Popover;
import javafx.geometry.Pos;
import javafx.scene.AccessibleRole;
import javafx.scene.Node;
import javafx.scene.control.ContentDisplay;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.HBox;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.Verdict;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.kordamp.ikonli.javafx.FontIcon;

/// The chip of an experiment's verdict: "Invalid: 2 of 4 runs". A click, Enter or Space shows its conditions.
public final class VerdictChip {
    private static final double WIDTH = 520;
    private static final double MOST_HEIGHT = 420;

    private VerdictChip() {}

    /// The chip of an experiment's verdict.
    ///
    /// @param cells counted for their INVALID runs
    /// @param showDevices shows the Devices view, which some remedies need
    public static Label of(Verdict verdict, Iterable<CellSummary> cells, Runnable showDevices) {
        Label chip = Panes.named("verdict-chip", Chips.of(verdict.grade()));
        chip.setText(words(verdict, cells, chip.getText()));
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

    private static String words(Verdict verdict, Iterable<CellSummary> cells, String grade) {
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
        ScrollPane conditions = new ScrollPane(VerdictList.createView(verdict, () -> {
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
