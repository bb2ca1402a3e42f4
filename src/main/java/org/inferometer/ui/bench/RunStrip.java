package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.List;
import javafx.beans.value.ChangeListener;
import javafx.collections.ListChangeListener;
import javafx.css.PseudoClass;
import javafx.scene.Group;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import javafx.scene.shape.Line;
import javafx.scene.shape.Polyline;
import javafx.scene.shape.StrokeLineJoin;
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
            ((Segment) getChildren().getFirst()).showProgress(live.time().get().progress());
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
        private final ProgressBar bar = Panes.styled(new ProgressBar(0), Styles.SMALL);
        private final Tooltip tip = new Tooltip();
        private @Nullable Shown shown;

        private Segment() {
            super(2);
            name.setMinWidth(0);
            name.setTooltip(tip);
            rate.setMinWidth(USE_PREF_SIZE);
            words.setMouseTransparent(true);
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

    /// A small line of values without axes, from zero to a common greatest value. Its colour is a slot of the series palette.
    private static final class SmallLine extends Region {
        private final Polyline line = new Polyline();
        private final Group markers = new Group();
        private List<Double> marked = List.of();
        private List<Double> values = List.of();
        private double greatest = 1;
        private double width = 1;

        SmallLine() {
            getStyleClass().add(StyleClasses.SMALL_LINE);
            line.setManaged(false);
            line.setMouseTransparent(true);
            line.setStrokeLineJoin(StrokeLineJoin.ROUND);
            markers.setManaged(false);
            markers.setMouseTransparent(true);
            getChildren().addAll(line, markers);
            setMinSize(0, 0);
        }

        /// @param slot of the series palette
        /// @param top the value at the upper edge
        /// @param share of the width that the values take
        void show(List<Double> newValues, int slot, double top, double share) {
            String colour = StyleClasses.SERIES_STROKE + slot;
            if (!line.getStyleClass().contains(colour)) {
                line.getStyleClass().setAll(colour);
            }
            if (!values.equals(newValues) || greatest != top || width != share) {
                values = newValues;
                greatest = top;
                width = share;
                layoutChildren();
            }
        }

        /// Shows vertical lines.
        ///
        /// @param shares of the width
        void mark(List<Double> shares) {
            if (!marked.equals(shares)) {
                marked = shares;
                layoutChildren();
            }
        }

        @Override
        protected void layoutChildren() {
            markers.getChildren().setAll(marked.stream().map(share -> {
                return Panes.styled(new Line(getWidth() * share, 0, getWidth() * share, getHeight()),
                        StyleClasses.MARKER_LINE);
            }).toList());
            Double[] points = new Double[2 * values.size()];
            for (int i = 0; i < values.size(); i++) {
                points[2 * i] = getWidth() * width * i / Math.max(1, values.size() - 1);
                double share = greatest > 0 ? Math.clamp(values.get(i) / greatest, 0, 1) : 0;
                points[2 * i + 1] = 1 + (getHeight() - 2) * (1 - share);
            }
            line.getPoints().setAll(points);
        }
    }
}
