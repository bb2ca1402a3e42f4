package org.inferometer.suite.running;

import java.io.IOException;
import java.util.function.UnaryOperator;
import org.inferometer.units.Clock;

/// A session that runs: its state in memory and in its file, which are changed together. Any thread.
public final class SessionProgress {
    private final SessionFolder folder;
    private final Clock clock;
    private SuiteSession session;

    SessionProgress(SessionFolder folder, SuiteSession session, Clock clock) {
        this.folder = folder;
        this.clock = clock;
        this.session = session;
    }

    /// The state now.
    public synchronized SuiteSession session() {
        return session;
    }

    SessionTest test(int index) {
        return session().tests().get(index);
    }

    synchronized void change(int index, UnaryOperator<SessionTest> change) throws IOException {
        session = session.with(index, change.apply(session.tests().get(index)));
        folder.write(session);
    }

    /// The test has its job.
    public void submitted(int index, String job) throws IOException {
        change(index, test -> test.submitted(job));
    }

    /// The test is measured now.
    public void begun(int index) throws IOException {
        change(index, test -> test.begun(clock.wall()));
    }
}
