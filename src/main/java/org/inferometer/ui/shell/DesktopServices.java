package org.inferometer.ui.shell;

import java.util.function.Supplier;
import org.inferometer.prompting.PromptProcess;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.ui.bench.BenchView.MachineSummary;
import org.inferometer.ui.chart.ChartDrawing;
import org.inferometer.ui.designer.DesignerServices;
import org.inferometer.ui.devices.DeviceSource;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.machines.MachineAccess;
import org.inferometer.ui.results.ResultTools;
import org.inferometer.units.Clock;

/// What the desktop works with.
///
/// @param prompts lets engines answer
/// @param machine called once in the background; may take a while
/// @param version of this program, for the About dialog
public record DesktopServices(DesignerServices designer, ResultTools results, Supplier<MachineSummary> machine,
        DeviceSource devices, ChartDrawing.Composer composer, ChartRenderer renderer, Settings settings,
        MachineAccess machines, PromptProcess prompts, Clock clock, String version) {}
