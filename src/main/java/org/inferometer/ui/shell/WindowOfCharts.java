package org.inferometer.ui.shell;

import java.util.Optional;
import javafx.beans.value.ObservableValue;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Alert;
import org.inferometer.report.charts.ChartData.RequestLookup.ChartRequest;
import org.inferometer.ui.chart.ChartWindow;
import org.inferometer.ui.chart.DrawTurns;
import org.inferometer.ui.fx.Navigation;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.theme.TextSize;

/// What charts need of the window.
///
/// @param frame owner of dialogs
/// @param turns the order in which charts are first drawn
record WindowOfCharts(Navigation navigation, Settings settings, Node frame, Appearance appearance,
        DrawTurns turns) implements ChartWindow {
    @Override
    public ObservableValue<Double> textScale() {
        return appearance.textSize().map(TextSize::scale);
    }

    @Override
    public void showRequest(ChartRequest request) {
        navigation.showRequest(request.experiment(), request.run(), request.request());
    }

    @Override
    public void showCalibration() {
        navigation.showCalibration();
    }

    @Override
    public Runnable showDialog(String title, Parent content) {
        Alert dialog = InfoDialog.of(title, "", content, frame, appearance);
        dialog.setHeaderText(null);
        dialog.setResizable(true);
        dialog.show();
        return dialog::close;
    }

    @Override
    public Optional<String> setting(String key) {
        return settings.get(key);
    }

    @Override
    public void remember(String key, String value) {
        settings.put(key, value);
    }
}
