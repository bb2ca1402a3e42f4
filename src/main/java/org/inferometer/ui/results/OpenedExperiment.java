package org.inferometer.ui.results;

import org.inferometer.benchmark.ExperimentRecord;

/// An experiment that was read in full, with what the window says about it.
public record OpenedExperiment(ResultShelf.Kind shelf, ExperimentRecord record, ExperimentReading reading) {}
