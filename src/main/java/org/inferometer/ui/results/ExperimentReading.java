package org.inferometer.ui.results;

import java.util.List;
import org.inferometer.report.charts.ChartData;

/// What the window says about an experiment.
///
/// @param findings sentences, the most important first
/// @param comparison one row a cell; shown where the record has no cells for the report's own tables
/// @param charts throughput, latency distribution, memory, comparison: as many as the record supports
public record ExperimentReading(List<String> findings, TextTable comparison, List<ChartData> charts) {}
