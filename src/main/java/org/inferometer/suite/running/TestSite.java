package org.inferometer.suite.running;

import java.io.IOException;
import java.util.List;
import org.inferometer.suite.running.SessionTest.State;

/// Where the tests of a session run.
public interface TestSite {
    /// Runs a test, or waits for its job, to its end.
    ///
    /// @param progress changes the session while the test runs
    /// @throws IOException if the session's files cannot be read or written
    TestEnd run(SessionFolder folder, int test, SessionProgress progress) throws IOException, InterruptedException;

    /// Whether a test that was submitted has ended elsewhere, so that [#run] only collects it.
    default boolean hasEnded(SessionTest test) throws IOException, InterruptedException {
        return false;
    }

    /// Forgets how a test ended, so that [#run] begins it again.
    default void forget(SessionFolder folder, SessionTest test) throws IOException {}

    /// Stops the running test, or the wait for it; what was measured is kept. Any thread.
    void cancel();

    /// How a test ended.
    ///
    /// @param state an end
    /// @param reason why it failed or is blocked; empty otherwise
    /// @param results names of its records
    public record TestEnd(State state, String reason, List<String> results) {
        public TestEnd {
            if (!state.isEnd()) {
                throw new IllegalArgumentException(state + " is no end");
            }
            results = List.copyOf(results);
        }
    }
}
