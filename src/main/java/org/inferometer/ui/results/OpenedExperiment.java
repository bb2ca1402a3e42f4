package org.inferometer.ui.results;

import java.util.List;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.CellExplanation;

/// An experiment that was read in full, with what the window says about it.
///
/// @param explanations of its cells, in their order
public record OpenedExperiment(ResultShelf.Kind shelf, ExperimentRecord record, ExperimentReading reading,
        List<CellExplanation> explanations) {}
