package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import javafx.beans.value.ObservableValue;
import javafx.geometry.Orientation;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.Separator;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import org.inferometer.ui.bench.BenchViewModel;
import org.inferometer.ui.bench.MachineSummary;
import org.inferometer.units.QuantityText;
import org.kordamp.ikonli.javafx.FontIcon;

/// The bottom line: what runs, since when, how it is sampled, what computes, and how much memory the window takes.
final class StatusLine extends HBox {
    private final Label heap = quiet("status-heap");

    StatusLine(BenchViewModel bench, ObservableValue<MachineSummary> machine) {
        setId("status-line");
        getStyleClass().add("status-line");
        setAlignment(Pos.CENTER_LEFT);
        Label state = new Label();
        state.setId("status-state");
        state.getStyleClass().add("chip");
        state.setMinWidth(USE_PREF_SIZE);
        Runnable show = () -> {
            boolean running = bench.running().get();
            state.setText(running ? text(bench.stopping().get() ? "status.stopping" : "status.running")
                    : text("status.idle"));
            state.setGraphic(new FontIcon(running ? "mdmz-play_circle_outline" : "mdmz-pause_circle_outline"));
            state.getStyleClass().removeAll("chip-accent", "chip-neutral");
            state.getStyleClass().add(running ? "chip-accent" : "chip-neutral");
        };
        bench.running().addListener((observed, before, now) -> show.run());
        bench.stopping().addListener((observed, before, now) -> show.run());
        show.run();
        Label elapsed = quiet("status-elapsed");
        elapsed.textProperty().bind(bench.live().elapsed());
        Label remaining = quiet("status-remaining");
        remaining.textProperty().bind(bench.live().remaining());
        Label sampling = quiet("status-sampling");
        sampling.textProperty().bind(bench.live().sampling());
        HBox progress = new HBox(10, elapsed, remaining, divider(), sampling);
        progress.setAlignment(Pos.CENTER_LEFT);
        progress.visibleProperty().bind(bench.running());
        progress.managedProperty().bind(progress.visibleProperty());
        Label device = quiet("status-device");
        device.setMinWidth(0);
        device.textProperty().bind(machine.map(MachineSummary::device));
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        getChildren().addAll(state, progress, space, new FontIcon("mdmz-memory"), device, divider(), heap);
        refresh();
    }

    /// Reads the heap again.
    void refresh() {
        Runtime runtime = Runtime.getRuntime();
        heap.setText(text("status.heap", QuantityText.bytes(runtime.totalMemory() - runtime.freeMemory()),
                QuantityText.bytes(runtime.maxMemory())));
    }

    private static Label quiet(String id) {
        Label label = new Label();
        label.setId(id);
        label.getStyleClass().addAll("muted", "small-text");
        label.setMinWidth(USE_PREF_SIZE);
        return label;
    }

    private static Node divider() {
        return new Separator(Orientation.VERTICAL);
    }
}
