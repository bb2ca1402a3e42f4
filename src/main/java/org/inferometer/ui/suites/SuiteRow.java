package org.inferometer.ui.suites;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import org.inferometer.experiment.PlanFault;
import org.inferometer.suite.SuiteFile;
import org.inferometer.suite.SuiteFile.ExperimentFile;
import org.inferometer.suite.SuiteFile.TestFile;
import org.inferometer.suite.SuiteFile.UnreadableFile;
import org.inferometer.suite.serving.TestConfiguration.Finding;
import org.inferometer.suite.serving.TestConfiguration.Finding.Severity;
import org.inferometer.units.LetterCase;

/// A file of a suite in the list.
///
/// @param id of its test
/// @param shown its path in the suite
/// @param content its text, for the lines of findings
record SuiteRow(SuiteFile file, String id, String shown, String content) {
    /// Its load and servers, or what it is.
    String smallLine() {
        return switch (file) {
            case TestFile test -> test.configuration().load() + " · " + test.configuration().servers();
            case ExperimentFile experiment -> counted("suites.experiment-line", experiment.runs());
            case UnreadableFile broken -> text("suites.unreadable-line");
        };
    }

    /// What was found in it, in the order of its lines.
    List<Finding> findings() {
        return switch (file) {
            case TestFile test -> test.findings();
            case ExperimentFile experiment -> experiment.faults().stream().map(SuiteRow::finding).toList();
            case UnreadableFile broken -> broken.faults().stream().map(SuiteRow::finding).toList();
        };
    }

    private static Finding finding(PlanFault fault) {
        String line = fault.where().replaceFirst("^.*:", "");
        return new Finding(line.matches("\\d{1,9}") ? Integer.parseInt(line) : 1, Severity.ERROR, "", fault.sentence(),
                "", "");
    }

    /// Whether it cannot run whatever it runs on.
    boolean isRefused() {
        return findings().stream().anyMatch(finding -> finding.severity() == Severity.ERROR);
    }

    /// Whether id or load has a text, in any case.
    boolean matches(String wanted) {
        return LetterCase.lower(id + " " + smallLine()).contains(LetterCase.lower(wanted.strip()));
    }
}
