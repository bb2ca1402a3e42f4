package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableValue;
import javafx.collections.ListChangeListener;
import javafx.geometry.Insets;
import javafx.geometry.Orientation;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.Separator;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import org.controlsfx.control.StatusBar;
import org.inferometer.ui.bench.BenchState;
import org.inferometer.ui.bench.BenchView.MachineSummary;
import org.inferometer.ui.bench.BenchViewModel;
import org.inferometer.ui.bench.LiveMode;
import org.inferometer.ui.bench.LiveViewModel.LiveTime;
import org.inferometer.ui.bench.ProcessorShare;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.WhileMeasuring;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.QuantityText;
import org.kordamp.ikonli.javafx.FontIcon;

/// The bottom line: state, time and sampling of the experiment, the processor, and the heap of the window.
final class StatusLine extends StatusBar {
    private static final double GAP = 10;
    private final ProcessorShare processor;
    private final Label window = Panes.named("status-window", Labels.fixed("", Styles.TEXT_MUTED, Styles.TEXT_SMALL));
    private final Label heap = Panes.named("status-heap", Labels.fixed("", Styles.TEXT_MUTED, Styles.TEXT_SMALL));

    StatusLine(BenchViewModel bench, ObservableValue<MachineSummary> machine, WaitingWork waiting,
            ProcessorShare processor) {
        this.processor = processor;
        setId("status-line");
        getStyleClass().add(StyleClasses.STATUS_LINE);
        setText("");
        // An unknown end would move without end, which costs the engine time.
        progressProperty().bind(Bindings.createDoubleBinding(
                () -> bench.state().get().isRunning() ? Math.max(0, bench.live().time().get().progress()) : 0,
                bench.state(), bench.live().time()));
        Label state = Panes.named("status-state", Labels.fixed("", StyleClasses.CHIP));
        bench.state().subscribe(now -> show(state, now));
        HBox progress = Panes.row(10, quiet("status-elapsed", bench.live().time().map(LiveTime::elapsed)),
                quiet("status-remaining", bench.live().time().map(LiveTime::remaining)),
                new Separator(Orientation.VERTICAL),
                quiet("status-sampling", bench.live().time().map(LiveTime::sampling)),
                new Separator(Orientation.VERTICAL), quiet("status-mode", bench.live().mode().map(LiveMode::label)));
        Panes.showWhen(progress, bench.state().map(BenchState::isRunning));
        Label device = quiet("status-device", machine.map(MachineSummary::device));
        device.setMinWidth(0);
        Labels.tellWhole(device);
        Panes.showWhen(window, bench.state().map(BenchState::isRunning));
        getLeftItems().addAll(state, progress, window, waiting);
        FontIcon processorIcon = new FontIcon("mdmz-memory");
        HBox.setMargin(processorIcon, new Insets(0, 0, 0, GAP));
        getRightItems().addAll(processorIcon, device, new Separator(Orientation.VERTICAL), heap);
        refresh();
    }

    private static void show(Label label, BenchState state) {
        boolean running = state.isRunning();
        label.setText(text(state.isStopping() ? "status.stopping" : running ? "status.running" : "status.idle"));
        label.setGraphic(new FontIcon(running ? "mdmz-play_circle_outline" : "mdmz-pause_circle_outline"));
        label.getStyleClass().setAll("label", StyleClasses.CHIP,
                running ? StyleClasses.CHIP_ACCENT : StyleClasses.CHIP_NEUTRAL);
    }

    /// Reads the heap and the CPU time of the window again.
    void refresh() {
        processor.read().ifPresent(percent -> window.setText(text("status.window", QuantityText.significant(percent))));
        Runtime runtime = Runtime.getRuntime();
        heap.setText(text("status.heap", QuantityText.bytes(runtime.totalMemory() - runtime.freeMemory()),
                QuantityText.bytes(runtime.maxMemory())));
    }

    private static Label quiet(String id, ObservableValue<String> text) {
        Label label = Labels.bound(id, text, Styles.TEXT_MUTED, Styles.TEXT_SMALL);
        label.setMinWidth(USE_PREF_SIZE);
        return label;
    }

    /// Work that waits for the end of the experiment, in the status line; a click on an entry drops it.
    static final class WaitingWork extends MenuButton {
        WaitingWork(WhileMeasuring measuring) {
            setId("status-waiting");
            getStyleClass().addAll(Styles.SMALL, Styles.FLAT);
            setMinWidth(USE_PREF_SIZE);
            setTooltip(new Tooltip(text("beside.waiting.tip")));
            measuring.postponed().addListener((ListChangeListener<WhileMeasuring.Postponed>) change -> show(measuring));
            show(measuring);
        }

        private void show(WhileMeasuring measuring) {
            setText(text("beside.waiting", measuring.postponed().size()));
            getItems().setAll(measuring.postponed().stream().map(each -> {
                MenuItem item = Buttons.item("beside-drop", text("beside.drop", each.work().label()),
                        () -> measuring.postponed().remove(each));
                item.setGraphic(new FontIcon("mdal-close"));
                return item;
            }).toList());
            Panes.show(this, !measuring.postponed().isEmpty());
        }
    }
}
