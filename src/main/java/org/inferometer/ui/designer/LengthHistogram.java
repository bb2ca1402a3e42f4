package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.Seed;
import org.inferometer.workload.LengthDistribution;

/// A small histogram of the lengths that a distribution draws, from 0 to its largest length.
final class LengthHistogram extends VBox {
    private static final int BARS = 28;
    private static final int DRAWS = 4000;
    private static final Seed SEED = new Seed(1);
    private static final double HEIGHT = 26;
    private final String name;
    private final HBox bars = new HBox(1);
    private final Tooltip figures = new Tooltip();

    /// @param name of the lengths: "Prompt, tokens"
    /// @param text of the field, for changes
    /// @param lengths parsed; empty while invalid
    LengthHistogram(String name, ObservableValue<String> text, Supplier<Optional<LengthDistribution>> lengths) {
        this.name = name;
        bars.setAlignment(Pos.BOTTOM_LEFT);
        bars.setMinHeight(HEIGHT);
        bars.setMaxHeight(HEIGHT);
        getStyleClass().add(StyleClasses.LENGTH_HISTOGRAM);
        getChildren().addAll(bars, Labels.of(name, Styles.TEXT_MUTED, Styles.TEXT_SMALL));
        Tooltip.install(this, figures);
        text.subscribe(typed -> show(lengths.get()));
    }

    private void show(Optional<LengthDistribution> lengths) {
        bars.getChildren().clear();
        Panes.show(this, lengths.isPresent());
        lengths.ifPresent(drawn -> {
            int[] sample = sample(drawn);
            for (double share : shares(sample, drawn.largest())) {
                Region bar = Panes.styled(new Region(), StyleClasses.LENGTH_BAR);
                bar.setMinSize(3, share == 0 ? 0 : Math.max(1, share * HEIGHT));
                bar.setMaxSize(3, bar.getMinHeight());
                bars.getChildren().add(bar);
            }
            String sentence =
                    text("designer.lengths-help", name, sample[DRAWS / 2], sample[DRAWS * 95 / 100], drawn.largest());
            figures.setText(sentence);
            setAccessibleText(sentence);
        });
    }

    /// Drawn lengths, sorted.
    static int[] sample(LengthDistribution lengths) {
        RandomGenerator random = SEED.generator();
        int[] drawn = new int[DRAWS];
        Arrays.setAll(drawn, i -> lengths.draw(random));
        Arrays.sort(drawn);
        return drawn;
    }

    /// Heights of the bars, 1 for the highest.
    static double[] shares(int[] lengths, int largest) {
        double[] counts = new double[BARS];
        for (int length : lengths) {
            counts[Math.min(BARS - 1, (int) ((long) length * BARS / Math.max(1, largest)))]++;
        }
        double highest = Arrays.stream(counts).max().orElse(1);
        return Arrays.stream(counts).map(count -> count / highest).toArray();
    }
}
