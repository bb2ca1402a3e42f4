package org.inferometer.ui.results;

import java.io.IOException;
import java.nio.file.Path;
import org.inferometer.record.ExperimentRecord;

/// Opens experiments, reads them into what the window shows, and writes reports. Called from background threads.
public interface ExperimentDesk {
    /// Reads an experiment from its folder, as far as it goes.
    ///
    /// @throws IOException with one sentence for people when nothing can be read
    ExperimentRecord open(Path folder) throws IOException;

    /// Works out findings, comparison and charts.
    ExperimentReading read(ExperimentRecord experiment);

    /// Writes a report; the file's ending says which kind: `.html` or `.md`.
    void saveReport(ExperimentRecord experiment, Path file) throws IOException;
}
