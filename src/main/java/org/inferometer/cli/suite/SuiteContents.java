package org.inferometer.cli.suite;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.cli.UsageException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.suite.Suite;
import org.inferometer.suite.SuiteFile;
import org.inferometer.suite.SuiteFile.TestFile;
import org.inferometer.suite.TestSelection;

/// The files of a suite, as a command sees them.
///
/// @param selection of its tests
record SuiteContents(Suite suite, List<SuiteFile> files, TestSelection selection) {
    /// @throws UsageException if the folder has no such file, or the test list names unknown tests
    static SuiteContents read(Path folder, TestSelection selection) throws UsageException {
        Suite suite = new Suite(folder);
        List<SuiteFile> files;
        try {
            files = suite.files();
        } catch (IOException e) {
            throw UsageException.of(e);
        }
        SuiteContents contents = new SuiteContents(suite, files, selection);
        UsageException.throwIfAny(selection.unknown(contents.tests()));
        return contents;
    }

    /// The files that are run.
    ///
    /// @throws UsageException if there is none: a check of nothing is no success
    List<SuiteFile> chosen() throws UsageException {
        return required(files.stream().filter(this::isChosen).toList());
    }

    /// The chosen test configurations.
    ///
    /// @throws UsageException if there is none
    List<TestFile> chosenTests() throws UsageException {
        return required(tests().stream().filter(test -> selection.reason(test).isEmpty()).toList());
    }

    private <F> List<F> required(List<F> chosen) throws UsageException {
        if (chosen.isEmpty()) {
            throw new UsageException("No test is chosen. See: inferometer suite list " + suite.folder());
        }
        return chosen;
    }

    /// All test configurations.
    List<TestFile> tests() {
        return files.stream().filter(TestFile.class::isInstance).map(TestFile.class::cast).toList();
    }

    private boolean isChosen(SuiteFile file) {
        return reason(file).isEmpty();
    }

    /// Why a file is left out; empty if it is chosen.
    Optional<String> reason(SuiteFile file) {
        return file instanceof TestFile test ? selection.reason(test)
                : selection.reason(suite.folder().relativize(file.file()));
    }

    /// What is wrong with a file whose test has the name of another: their results would have one name. Empty for others.
    List<PlanFault> sameName(SuiteFile file) {
        return files.stream().filter(each -> each != file && suite.id(each).equals(suite.id(file)))
                .map(each -> new PlanFault(suite.shown(file.file()), "Its test has the name of "
                        + suite.shown(each.file()) + ", " + suite.id(file) + ". Rename one."))
                .toList();
    }
}
