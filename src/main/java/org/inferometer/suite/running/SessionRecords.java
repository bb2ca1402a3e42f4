package org.inferometer.suite.running;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.results.ResultLibrary;

/// The records of a session's tests.
///
/// @param results folder of the records
public record SessionRecords(Path results) {
    /// The records of each complete test by its id, in the order of the session; a record that was deleted is left out.
    ///
    /// @throws IOException with a sentence if a record cannot be read
    public Map<String, List<ExperimentRecord>> of(SuiteSession session) throws IOException {
        Map<String, List<ExperimentRecord>> records = new LinkedHashMap<>();
        for (SessionTest test : session.tests()) {
            records.put(test.id(), test.state() == SessionTest.State.COMPLETE ? of(test) : List.of());
        }
        return records;
    }

    /// The records of a test, complete or not.
    List<ExperimentRecord> of(SessionTest test) throws IOException {
        List<ExperimentRecord> records = new ArrayList<>();
        ResultLibrary library = new ResultLibrary(results);
        for (String name : test.results()) {
            if (Files.isDirectory(results.resolve(name))) {
                records.add(library.open(results.resolve(name)));
            }
        }
        return records;
    }
}
