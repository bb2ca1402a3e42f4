package org.inferometer.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.results.Anonymizer;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.ResultPruning;
import org.inferometer.results.TextAnonymizer;

/// Folders of experiments on this machine.
public final class LibraryShelf implements ResultServices.Shelf {
    @Override
    public List<ResultLibrary.Entry> list(Path folder) {
        return new ResultLibrary(folder).list();
    }

    @Override
    public ExperimentRecord open(Path folder, Path experiment) throws IOException {
        return new ResultLibrary(folder).open(experiment);
    }

    @Override
    public void share(ExperimentRecord experiment, Path folder) throws IOException {
        new Anonymizer(TextAnonymizer.ofThisMachine()).copy(experiment, folder);
    }

    @Override
    public void delete(ResultLibrary.Entry experiment) throws IOException {
        ResultPruning.delete(experiment);
    }
}
