package org.inferometer.ui.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.compare.KnownVariation;
import org.inferometer.report.document.Reports;
import org.inferometer.report.document.SchedulerSuite;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.SelfCheckFile;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.units.FileFault;

/// Reads results and writes reports of them. Called from background threads.
///
/// @param folder one folder per experiment of this workspace; may not exist yet
/// @param samples the same for results that came with the program
/// @param schedulers explains when a scheduler wins
/// @param safe removes host, user and paths from bundles
/// @param version of this program
public record ResultTools(Path folder, Path samples, Reports reports, SchedulerSuite suite,
        SchedulerRegistry schedulers, TextAnonymizer safe, String version) {
    /// Reads an experiment from its folder, as far as it goes.
    ///
    /// @throws IOException with one sentence when nothing can be read
    public ExperimentRecord open(Path experiment) throws IOException {
        return new ResultLibrary(folder).open(experiment);
    }

    /// Where a result comes from, by its folder.
    ResultRow.Origin origin(Path experiment) {
        return isIn(samples, experiment) ? ResultRow.Origin.SAMPLE : isIn(folder, experiment) ? ResultRow.Origin.OWN
                : ResultRow.Origin.ELSEWHERE;
    }

    /// The rows of compared results that can be read.
    public List<ComparisonViewModel.Side> rows(List<ShownResults.ComparedPart> compared) {
        List<ComparisonViewModel.Side> rows = new ArrayList<>();
        for (ShownResults.ComparedPart side : compared) {
            try {
                rows.add(
                        new ComparisonViewModel.Side(
                                ResultRow
                                        .of(origin(side.folder()),
                                                new ResultLibrary.Entry(side.folder(),
                                                        Optional.of(ResultLibrary.manifest(side.folder())), "")),
                                side.part()));
            } catch (IOException e) {
                System.getLogger(ResultTools.class.getName()).log(System.Logger.Level.INFO,
                        "A compared result cannot be read: {0}", FileFault.describe(side.folder(), e));
            }
        }
        return rows;
    }

    private static boolean isIn(Path library, Path experiment) {
        return library.toAbsolutePath().normalize().equals(experiment.toAbsolutePath().normalize().getParent());
    }

    /// What the last self-check of the workspace learned of the variation between experiments.
    KnownVariation variation() {
        return KnownVariation.of(new SelfCheckFile(folder));
    }

    /// Writes the files of a scheduler benchmark into a folder.
    ///
    /// @return the files written
    /// @throws IOException when one of them exists already
    List<Path> saveSchedulerSuite(ExperimentRecord experiment, Path into) throws IOException {
        var existing = SchedulerSuite.inTheWay(into);
        if (existing.isPresent()) {
            throw new IOException(existing.get() + " exists already. Choose an empty folder.");
        }
        return suite.write(List.of(experiment), into);
    }
}
