package org.inferometer.suite.running;

import java.util.List;
import org.inferometer.suite.running.SessionTest.State;

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
