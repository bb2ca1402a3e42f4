package org.inferometer.ui.engines;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import javafx.collections.ListChangeListener;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;
import org.inferometer.engine.build.InterruptedBuild;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.Questions;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.QuantityText;

/// A line for each interrupted build, with what can be done about it; takes no room without one.
final class InterruptedBuildsBar {
    private final EnginesViewModel model;
    private final Questions questions;
    private final VBox lines = new VBox();

    InterruptedBuildsBar(EnginesViewModel model, Questions questions) {
        this.model = model;
        this.questions = questions;
    }

    Node createView() {
        lines.setId("engines-interrupted");
        model.interrupted().addListener((ListChangeListener<InterruptedBuild>) change -> show());
        show();
        return lines;
    }

    private void show() {
        lines.getChildren().setAll(model.interrupted().stream().map(this::line).toList());
    }

    private Node line(InterruptedBuild build) {
        boolean recipe =
                model.all().stream().anyMatch(row -> row.name().equals(build.engine()) && row.entry().recipe() != null);
        Label words = Labels.wrapped(text(recipe ? "engines.interrupted" : "engines.interrupted-checkpoint",
                build.engine(), QuantityText.bytes(build.bytes())));
        HBox line = Panes.row(8, words, Panes.spacer());
        if (recipe) {
            Button resume =
                    Buttons.of("engines-resume", "mdmz-play_arrow", text("engines.resume"), () -> model.resume(build));
            resume.disableProperty().bind(model.task().isNotNull());
            line.getChildren().add(resume);
        }
        Button delete = Buttons.of("engines-discard", "mdal-delete", text("engines.discard"), () -> {
            if (questions.confirmed(text("engines.discard-heading", build.engine()),
                    text("engines.discard-detail", QuantityText.bytes(build.bytes())), text("engines.discard"),
                    text("engines.keep"))) {
                model.discard(build);
            }
        });
        delete.getStyleClass().add(Styles.FLAT);
        delete.disableProperty().bind(model.task().isNotNull());
        line.getChildren().add(delete);
        line.getStyleClass().add(StyleClasses.TIMELINE_BAR);
        return line;
    }
}
