package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import javafx.beans.value.ChangeListener;
import javafx.collections.ListChangeListener;
import javafx.css.PseudoClass;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// The throughput of the whole experiment: a segment for each run, all on one scale, with its name, its mean rate and its
/// progress.
final class RunStrip extends HBox {
    private static final int MOST_SEGMENTS = 120;
    private static final int MOST_NAMED = 8;
    private static final int MOST_WITH_UNIT = 4;
    private static final double GAP = 16;
    private static final PseudoClass RUNNING = PseudoClass.getPseudoClass("running");
    private final LiveViewModel live;

    RunStrip(LiveViewModel live) {
        super(GAP);
        this.live = live;
        setId("live-strip");
        getStyleClass().add(StyleClasses.SEGMENTS);
        live.runs().addListener((ListChangeListener<LiveSnapshot.RunLine>) change -> show());
        ChangeListener<Number> moved = (observed, before, now) -> show();
        live.runProgress().addListener(moved);
        show();
    }

    private void show() {
        int runs = live.runs().size();
        int segments = runs == 0 || runs > MOST_SEGMENTS ? 1 : runs;
        while (getChildren().size() > segments) {
            getChildren().removeLast();
        }
        while (getChildren().size() < segments) {
            getChildren().add(new Segment());
        }
        if (segments != runs) {
            ((Segment) getChildren().getFirst()).showProgress(live.progress().get());
            return;
        }
        double top = live.runs().stream().flatMap(run -> run.rates().stream()).mapToDouble(Double::doubleValue).max()
                .orElse(0);
        for (int i = 0; i < segments; i++) {
            ((Segment) getChildren().get(i)).show(live.runs().get(i), top, runs <= MOST_NAMED);
        }
    }

    private final class Segment extends VBox {
        private final Label name = Labels.of("", StyleClasses.RUN_NAME);
        private final Label rate = Labels.of("", StyleClasses.RUN_NAME);
        private final HBox words = Panes.row(6, name, Panes.spacer(), rate);
        private final SmallLine line = new SmallLine();
        private final ProgressBar bar = new ProgressBar(0);
        private final Tooltip tip = new Tooltip();
        private @Nullable Shown shown;

        private Segment() {
            super(2);
            name.setMinWidth(0);
            name.setTooltip(tip);
            rate.setMinWidth(USE_PREF_SIZE);
            words.setMouseTransparent(true);
            bar.getStyleClass().add(Styles.SMALL);
            bar.setMaxWidth(Double.MAX_VALUE);
            bar.setMinWidth(4);
            bar.setPrefWidth(100);
            getChildren().addAll(words, line, bar);
            setPrefWidth(100);
            setMinWidth(4);
            HBox.setHgrow(this, Priority.ALWAYS);
            Tooltip.install(this, tip);
        }

        private void showProgress(double progress) {
            shown = null;
            bar.setProgress(progress);
            Panes.show(words, false);
        }

        /// What a segment shows of a run.
        private record Shown(LiveSnapshot.RunLine run, double top, double done, boolean named, boolean withUnit) {}

        private void show(LiveSnapshot.RunLine run, double top, boolean named) {
            boolean running = run.state() == LiveSnapshot.RunState.RUNNING;
            double done = switch (run.state()) {
                case PLANNED -> 0;
                case RUNNING -> live.runProgress().get();
                case ENDED, FAILED -> 1;
            };
            Shown now = new Shown(run, top, done, named, live.runs().size() <= MOST_WITH_UNIT);
            if (now.equals(shown)) {
                return;
            }
            shown = now;
            bar.setProgress(done);
            Panes.show(words, named);
            name.setText(run.name());
            String mean = Double.isNaN(run.tokensPerSecond()) ? "" : QuantityText.significant(run.tokensPerSecond());
            String withUnit = mean.isEmpty() ? "" : mean + " " + text("live.tokens-axis");
            rate.setText(now.withUnit() ? withUnit : mean);
            tip.setText(mean.isEmpty() ? run.label() : run.label() + "\n" + withUnit);
            pseudoClassStateChanged(RUNNING, running);
            line.show(run.rates(), run.style().colour(), top, done);
            line.mark(run.markers());
        }
    }
}
