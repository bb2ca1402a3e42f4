package org.inferometer.ui.chart;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.Parent;
import org.inferometer.report.charts.ChartData.RequestLookup.ChartRequest;
import org.jspecify.annotations.Nullable;

/// Keeps what it is asked for.
public final class ChartWindowTwin implements ChartWindow {
    private final List<String> requests;
    private final Map<String, String> settings = new HashMap<>();
    private final ObjectProperty<Double> textScale = new SimpleObjectProperty<>(1.0);
    private @Nullable Parent dialog;

    /// @param requests receives each request that is shown
    ChartWindowTwin(List<String> requests) {
        this.requests = requests;
    }

    /// Forgets what it is asked for.
    public static ChartWindow none() {
        return new ChartWindowTwin(new ArrayList<>());
    }

    /// The content of the open dialog, or null.
    @Nullable
    Parent dialog() {
        return dialog;
    }

    @Override
    public ObjectProperty<Double> textScale() {
        return textScale;
    }

    @Override
    public DrawTurns turns() {
        return new DrawTurns();
    }

    @Override
    public void showCalibration() {}

    @Override
    public void showRequest(ChartRequest request) {
        requests.add(request.describe());
    }

    @Override
    public Runnable showDialog(String title, Parent content) {
        dialog = content;
        return () -> dialog = null;
    }

    @Override
    public Optional<String> setting(String key) {
        return Optional.ofNullable(settings.get(key));
    }

    @Override
    public void remember(String key, String value) {
        settings.put(key, value);
    }
}
