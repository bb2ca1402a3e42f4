package org.inferometer.cli.suite;

import org.inferometer.cli.ProgressLine;
import org.inferometer.suite.running.SessionTest;
import org.inferometer.suite.running.SuiteListener;
import org.inferometer.suite.running.SuiteSession;

/// Prints a line for each test that begins or ends.
record SuiteProgress(ProgressLine line) implements SuiteListener {
    @Override
    public void testStarted(SuiteSession session, int index) {
        line.print("test " + (index + 1) + " of " + session.tests().size() + ": " + session.tests().get(index).id());
    }

    @Override
    public void testEnded(SuiteSession session, int index) {
        SessionTest test = session.tests().get(index);
        line.print("  " + test.state().id() + (test.reason().isEmpty() ? "" : ": " + test.reason()));
    }

    @Override
    public void message(String text) {
        line.print(text);
    }
}
