package org.inferometer.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.results.AtomicFile;
import org.inferometer.results.ResultLibrary;

/// What the commands that look at results work with.
public record ResultServices(Shelf shelf, Desk desk) {

    /// Folders of experiments.
    public interface Shelf {
        /// The experiments of a folder, newest first; unreadable ones with what is wrong.
        List<ResultLibrary.Entry> list(Path folder);

        /// Reads an experiment in full.
        ///
        /// @param experiment its folder, or its id in `folder`
        /// @throws IOException with one sentence for people when nothing can be read
        ExperimentRecord open(Path folder, Path experiment) throws IOException;

        /// Deletes an experiment's folder and whatever is in it.
        void delete(ResultLibrary.Entry experiment) throws IOException;

        /// Writes a copy that names no host, user or path.
        ///
        /// @throws IOException with one sentence when the folder cannot take it
        void share(ExperimentRecord experiment, Path folder) throws IOException;
    }

    /// Turns experiments into what people read.
    public interface Desk {
        /// Tables, improvements over the baseline, explanations and findings as plain text; ends with a line feed.
        ///
        /// @param columns the widest line
        String summary(ExperimentRecord experiment, int columns);

        /// A report of one or more experiments.
        byte[] report(List<ExperimentRecord> experiments, ReportFormat format);

        /// Writes a report to a file, atomically, and what belongs beside it; the files written, the report first.
        default List<Path> write(List<ExperimentRecord> experiments, ReportFormat format, Path file)
                throws IOException {
            AtomicFile.write(file, report(experiments, format));
            return List.of(file);
        }

        /// Writes the tables, report and charts of a scheduler suite into the folder, which is made where it is missing; the files in
        /// order.
        List<Path> schedulerSuite(ExperimentRecord experiment, Path folder) throws IOException;

        /// Writes each chart as a PNG into the folder, which is made where it is missing; the files in order.
        List<Path> charts(List<ExperimentRecord> experiments, Path folder) throws IOException;
    }
}
