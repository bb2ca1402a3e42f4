package org.inferometer.ui.shell;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunObservations;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.LatestWork;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.results.ResultRow;
import org.inferometer.ui.results.ResultTools;
import org.inferometer.ui.results.ResultsViewModel;

/// Finds the newest result with a recorded run, in the background. Belongs to the UI thread.
final class LatestRun {
    private final ResultsViewModel results;
    private final ResultTools tools;
    private final LatestWork work;

    /// Receives what was found, on the UI thread.
    interface FoundListener {
        /// @param run index of the newest run with requests or steps
        void found(ExperimentRecord record, int run);
    }

    private record Found(ExperimentRecord record, int run) {}

    LatestRun(ResultsViewModel results, ResultTools tools, BackgroundWork work) {
        this.results = results;
        this.tools = tools;
        this.work = new LatestWork(work);
    }

    /// Nothing is called without such a run, or if a later search began.
    void find(FoundListener listener) {
        List<Path> folders = results.readable().stream().map(ResultRow::folder).toList();
        work.run(WindowWork.OPEN_RESULT, () -> search(folders),
                found -> found.ifPresent(newest -> listener.found(newest.record(), newest.run())), failure -> {});
    }

    private Optional<Found> search(List<Path> folders) {
        for (Path folder : folders) {
            Optional<Found> found = newestRun(folder);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<Found> newestRun(Path folder) {
        ExperimentRecord record;
        try {
            record = tools.open(folder);
        } catch (IOException e) {
            // The list of results shows what is wrong with it.
            return Optional.empty();
        }
        for (int run = record.runs().size() - 1; run >= 0; run--) {
            RunObservations seen = record.runs().get(run).observations();
            if (!seen.requests().isEmpty() || !seen.steps().isEmpty()) {
                return Optional.of(new Found(record, run));
            }
        }
        return Optional.empty();
    }
}
