package org.inferometer.ui.engines;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.IntStream;
import javafx.scene.Node;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.VBox;
import org.inferometer.engine.EngineInspection;
import org.inferometer.ui.engines.MemoryPane.MemoryEstimate.KvType;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.MemoryBar;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// Memory for chosen sequences as a bar against the machine's memory.
final class MemoryPane {
    private static final int SHORTEST = 64;

    private final ComboBox<Integer> sequences = new ComboBox<>();
    private final ComboBox<Integer> positions = new ComboBox<>();
    private final ComboBox<KvType> type = new ComboBox<>();
    private final Label words = Panes.named("engine-memory-words", Labels.wrapped(""));
    private final MemoryBar bar = new MemoryBar("engine-memory-bar");
    private final long machineBytes =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    private @Nullable EngineInspection engine;

    MemoryPane() {
        sequences.setId("engine-sequences");
        sequences.getItems().setAll(MemoryEstimate.SEQUENCES);
        sequences.setValue(8);
        positions.setId("engine-positions");
        type.setId("engine-kv-type");
        type.getItems().setAll(KvType.values());
        type.setValue(KvType.BF16);
        for (ComboBox<?> box : List.of(sequences, positions, type)) {
            box.valueProperty().addListener((observed, before, now) -> update());
        }
    }

    /// The pane for an engine; the same node each time.
    Node show(EngineInspection shown) {
        engine = null;
        int longest = shown.shape().maxPositions();
        Integer before = positions.getValue();
        positions.getItems()
                .setAll(IntStream.iterate(SHORTEST, length -> length < longest, length -> length * 2).boxed().toList());
        positions.getItems().add(longest);
        positions.setValue(before != null && before <= longest ? before : longest);
        engine = shown;
        update();
        FlowPane choices = new FlowPane(16, 8, Panes.row(8, Labels.fixed(text("engines.memory-for")), sequences),
                Panes.row(8, Labels.fixed(text("engines.memory-of")), positions),
                Panes.row(8, Labels.fixed(text("engines.memory-kv")), type));
        return new VBox(8, choices, bar, words);
    }

    private void update() {
        EngineInspection inside = engine;
        if (inside == null || positions.getValue() == null) {
            return;
        }
        MemoryEstimate estimate =
                MemoryEstimate.of(inside, sequences.getValue(), positions.getValue(), type.getValue(), machineBytes);
        words.setText(text(estimate.fits() ? "engines.memory-fits" : "engines.memory-over",
                QuantityText.bytes(estimate.weightBytes()), QuantityText.bytes(estimate.kvBytes()),
                QuantityText.bytes(estimate.totalBytes()), QuantityText.bytes(estimate.machineBytes())));
        words.getStyleClass().removeAll(StyleClasses.FAULT, Styles.TEXT_MUTED);
        words.getStyleClass().add(estimate.fits() ? Styles.TEXT_MUTED : StyleClasses.FAULT);
        bar.show(estimate.weightBytes(), estimate.kvBytes(), estimate.machineBytes(), words.getText());
    }

    /// Memory that an engine needs for a number of full sequences, without activations.
    ///
    /// @param weightBytes of its file
    /// @param kvBytes keys and values of all positions
    /// @param machineBytes memory of the machine
    record MemoryEstimate(long weightBytes, long kvBytes, long machineBytes) {
        /// How an element of the KV cache is stored.
        enum KvType {
            FP32(4), BF16(2), FP8(1);

            private final int bytes;

            KvType(int bytes) {
                this.bytes = bytes;
            }
        }

        static final List<Integer> SEQUENCES = List.of(1, 4, 8, 16, 32, 64, 128, 256);

        static MemoryEstimate of(EngineInspection engine, int sequences, int positions, KvType type,
                long machineBytes) {
            return new MemoryEstimate(engine.memory().weightBytes(),
                    Math.multiplyExact(engine.memory().kvBytesPerToken(type.bytes), (long) sequences * positions),
                    machineBytes);
        }

        long totalBytes() {
            return weightBytes + kvBytes;
        }

        boolean fits() {
            return totalBytes() <= machineBytes;
        }
    }
}
