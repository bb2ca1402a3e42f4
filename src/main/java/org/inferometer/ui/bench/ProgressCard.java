package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import javafx.collections.ListChangeListener;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;

/// Progress of the experiment: run i of n, phase, times, and one bar segment per run.
final class ProgressCard extends VBox {
    private static final int MOST_SEGMENTS = 24;
    private final LiveViewModel live;
    private final HBox bar = new HBox(3);

    ProgressCard(BenchViewModel model, Runnable stop) {
        live = model.live();
        setId("live-progress");
        getStyleClass().addAll(StyleClasses.CARD, StyleClasses.PROGRESS_CARD);
        Label headline = Labels.bound("live-headline", live.headline(), StyleClasses.HEADLINE);
        headline.setMinWidth(0);
        Label phase = Labels.bound("live-phase", live.phase(), StyleClasses.CHIP, StyleClasses.CHIP_ACCENT);
        phase.visibleProperty().bind(live.phase().isNotEmpty());
        phase.setMinWidth(Region.USE_PREF_SIZE);
        Label elapsed = Labels.fixed("", StyleClasses.FIGURE);
        elapsed.textProperty().bind(live.elapsed());
        Label remaining = Labels.bound("live-remaining", live.remaining(), Styles.TEXT_MUTED);
        remaining.setMinWidth(Region.USE_PREF_SIZE);
        Button stopButton = Buttons.of("live-stop", "mdmz-stop", text("action.stop"), stop);
        stopButton.getStyleClass().addAll(Styles.DANGER, Styles.BUTTON_OUTLINED, Styles.SMALL);
        stopButton.disableProperty().bind(model.state().map(BenchState::isStopping));
        bar.getStyleClass().add(StyleClasses.SEGMENTS);
        live.runs().addListener((ListChangeListener<LiveSnapshot.RunLine>) change -> showSegments());
        live.runProgress().addListener((observed, before, now) -> showSegments());
        live.progress().addListener((observed, before, now) -> showSegments());
        showSegments();
        getChildren().addAll(Panes.row(10, headline, phase, Panes.spacer(), elapsed, remaining, stopButton), bar);
    }

    private void showSegments() {
        int runs = live.runs().size();
        int segments = runs == 0 || runs > MOST_SEGMENTS ? 1 : runs;
        while (bar.getChildren().size() > segments) {
            bar.getChildren().removeLast();
        }
        while (bar.getChildren().size() < segments) {
            ProgressBar segment = new ProgressBar(0);
            segment.getStyleClass().add(Styles.SMALL);
            segment.setMaxWidth(Double.MAX_VALUE);
            segment.setMinWidth(4);
            segment.setPrefWidth(100);
            HBox.setHgrow(segment, Priority.ALWAYS);
            bar.getChildren().add(segment);
        }
        for (int i = 0; i < segments; i++) {
            ((ProgressBar) bar.getChildren().get(i))
                    .setProgress(runs == segments ? ofRun(live.runs().get(i)) : live.progress().get());
        }
    }

    private double ofRun(LiveSnapshot.RunLine line) {
        return switch (line.state()) {
            case PLANNED -> 0;
            case RUNNING -> live.runProgress().get();
            case ENDED, FAILED -> 1;
        };
    }
}
