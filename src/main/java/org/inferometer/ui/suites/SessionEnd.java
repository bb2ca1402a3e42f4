package org.inferometer.ui.suites;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.inferometer.suite.running.SessionTest;
import org.inferometer.suite.running.SessionTest.State;
import org.inferometer.suite.running.SuiteSession;

/// How a session ended, for a notice: how many tests are complete, and which are not.
///
/// @param success whether no test failed or was blocked
record SessionEnd(String sentence, boolean success) {
    private static final int MOST_NAMES = 3;

    /// @param jobsGoOn whether its jobs stay on the cluster
    static SessionEnd of(SuiteSession session, boolean jobsGoOn) {
        String key = session.isEnded() ? "suites.ended" : jobsGoOn ? "suites.stopped-jobs" : "suites.stopped";
        StringBuilder sentence = new StringBuilder(
                text(key, session.count(State.COMPLETE), counted("suites.tests", session.tests().size())));
        for (State state : List.of(State.FAILED, State.BLOCKED, State.CANCELLED)) {
            List<String> ids =
                    session.tests().stream().filter(test -> test.state() == state).map(SessionTest::id).toList();
            if (!ids.isEmpty()) {
                sentence.append(' ').append(text("suites.ended-names",
                        text("suites.state-" + state.name().toLowerCase(Locale.ROOT)), names(ids)));
            }
        }
        return new SessionEnd(sentence.toString(),
                session.count(State.FAILED) == 0 && session.count(State.BLOCKED) == 0);
    }

    /// "a, b, c and 4 more".
    private static String names(List<String> ids) {
        String first = ids.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
        return ids.size() <= MOST_NAMES ? first : text("suites.ended-more", first, ids.size() - MOST_NAMES);
    }
}
