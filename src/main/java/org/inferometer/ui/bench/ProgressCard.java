package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/// How far the experiment is: run i of n, the phase, elapsed and remaining time, one bar segment a run.
final class ProgressCard extends VBox {
    private static final int MOST_SEGMENTS = 24;
    private final LiveViewModel live;
    private final HBox bar = new HBox(3);

    ProgressCard(BenchViewModel model, Runnable stop) {
        live = model.live();
        setId("live-progress");
        getStyleClass().addAll("card", "progress-card");
        Label headline = new Label();
        headline.setId("live-headline");
        headline.getStyleClass().add("headline");
        headline.setMinWidth(0);
        headline.textProperty().bind(live.headline());
        Label phase = new Label();
        phase.setId("live-phase");
        phase.getStyleClass().addAll("chip", "chip-accent");
        phase.setMinWidth(USE_PREF_SIZE);
        phase.textProperty().bind(live.phase());
        phase.visibleProperty().bind(live.phase().isNotEmpty());
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        Label elapsed = new Label();
        elapsed.getStyleClass().add("figure");
        elapsed.setMinWidth(USE_PREF_SIZE);
        elapsed.textProperty().bind(live.elapsed());
        Label remaining = new Label();
        remaining.setId("live-remaining");
        remaining.getStyleClass().add("muted");
        remaining.setMinWidth(USE_PREF_SIZE);
        remaining.textProperty().bind(live.remaining());
        Button stopButton = new Button(text("action.stop"), new FontIcon("mdmz-stop"));
        stopButton.setId("live-stop");
        stopButton.getStyleClass().addAll("danger", "button-outlined", "small");
        stopButton.setMinWidth(USE_PREF_SIZE);
        stopButton.disableProperty().bind(model.state().map(BenchState::isStopping));
        stopButton.setOnAction(event -> stop.run());
        HBox line = new HBox(10, headline, phase, space, elapsed, remaining, stopButton);
        line.setAlignment(Pos.CENTER_LEFT);
        bar.getStyleClass().add("segments");
        live.runs().addListener((javafx.collections.ListChangeListener<LiveSnapshot.RunLine>) change -> showSegments());
        live.runProgress().addListener((observed, before, now) -> showSegments());
        live.progress().addListener((observed, before, now) -> showSegments());
        showSegments();
        getChildren().addAll(line, bar);
    }

    private void showSegments() {
        int runs = live.runs().size();
        int segments = runs == 0 || runs > MOST_SEGMENTS ? 1 : runs;
        while (bar.getChildren().size() > segments) {
            bar.getChildren().removeLast();
        }
        while (bar.getChildren().size() < segments) {
            ProgressBar segment = new ProgressBar(0);
            segment.getStyleClass().add("small");
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
