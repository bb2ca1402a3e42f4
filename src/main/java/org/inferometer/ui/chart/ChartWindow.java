package org.inferometer.ui.chart;

import java.util.Optional;
import javafx.beans.value.ObservableValue;
import javafx.scene.Parent;
import org.inferometer.report.charts.ChartData.RequestLookup.ChartRequest;

/// What charts ask of their window. Called on the JavaFX thread.
public interface ChartWindow {
    /// The size of texts as a share of the usual one; that of the charts' texts, too.
    ObservableValue<Double> textScale();

    /// Shows a request in the Timeline.
    void showRequest(ChartRequest request);

    /// The order in which its charts are first drawn.
    DrawTurns turns();

    /// Shows the Devices view at the calibration of its noise.
    void showCalibration();

    /// Shows a dialog with a button that closes it.
    ///
    /// @return closes it
    Runnable showDialog(String title, Parent content);

    /// A setting of the user.
    Optional<String> setting(String key);

    /// Stores a setting.
    void remember(String key, String value);
}
