package org.inferometer.ui.chart;

import java.util.Optional;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.value.ObservableValue;
import javafx.scene.Parent;
import org.inferometer.report.charts.ChartData.RequestLookup.ChartRequest;

/// What charts ask of their window. Called on the JavaFX thread.
public interface ChartWindow {
    /// A window without views, dialogs and settings.
    ChartWindow NONE = new ChartWindow() {
        @Override
        public void showRequest(ChartRequest request) {}

        @Override
        public Runnable showDialog(String title, Parent content) {
            return () -> {};
        }

        @Override
        public Optional<String> setting(String key) {
            return Optional.empty();
        }

        @Override
        public void remember(String key, String value) {}
    };

    /// The size of texts as a share of the usual one; that of the charts' texts, too.
    default ObservableValue<Double> textScale() {
        return new SimpleObjectProperty<>(1.0);
    }

    /// Shows a request in the Timeline.
    void showRequest(ChartRequest request);

    /// The order in which its charts are first drawn.
    default DrawTurns turns() {
        return new DrawTurns();
    }

    /// Shows the Devices view at the calibration of its noise.
    default void showCalibration() {}

    /// Shows a dialog with a button that closes it.
    ///
    /// @return closes it
    Runnable showDialog(String title, Parent content);

    /// A setting of the user.
    Optional<String> setting(String key);

    /// Stores a setting.
    void remember(String key, String value);
}
