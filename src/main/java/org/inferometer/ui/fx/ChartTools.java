package org.inferometer.ui.fx;

import javafx.beans.value.ObservableValue;
import org.inferometer.report.charts.ChartRenderer;

/// What a chart in the window needs besides its data.
///
/// @param composer makes the drawing of a chart; `chart` does it
/// @param renderer draws exports, off the UI thread
/// @param shade light or dark, as the window is now
public record ChartTools(ChartHost.Composer composer, ChartRenderer renderer,
        ObservableValue<ChartRenderer.Shade> shade, FileDialogs dialogs, BackgroundWork work, Notifier notices) {}
