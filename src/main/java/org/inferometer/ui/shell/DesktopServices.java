package org.inferometer.ui.shell;

import java.util.List;
import java.util.function.Supplier;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.ui.bench.MachineSummary;
import org.inferometer.ui.designer.BenchServices;
import org.inferometer.ui.devices.DevicesDesk;
import org.inferometer.ui.fx.ChartHost;
import org.inferometer.ui.results.ResultShelf;
import org.inferometer.ui.results.SchedulerDesk;
import org.inferometer.units.Clock;

/// Everything the desktop works with; `app` hands it in.
///
/// @param shelves own results first, then samples
/// @param schedulers what results say of schedulers, and their files
/// @param machine asked once in the background; may take a while
/// @param version of this program, for the About box
public record DesktopServices(BenchServices bench, List<ResultShelf> shelves, SchedulerDesk schedulers,
        Supplier<MachineSummary> machine, DevicesDesk devices, ChartHost.Composer composer, ChartRenderer renderer,
        SettingsStore settings, Clock clock, String version) {}
