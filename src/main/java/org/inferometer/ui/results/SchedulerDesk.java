package org.inferometer.ui.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.CellExplanation;

/// What results say about schedulers beyond figures. Called from background threads.
public interface SchedulerDesk {
    /// When the scheduler of each cell wins, and what was seen of it here; one a cell.
    List<CellExplanation> explain(ExperimentRecord experiment);

    /// Writes the tables, the report and the charts that benchmarks of schedulers leave behind into a folder, unless some are there already.
    ///
    /// @return the files written
    List<Path> export(ExperimentRecord experiment, Path folder) throws IOException;
}
