package org.inferometer.cli.suite;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.inferometer.cli.Terminal;
import org.inferometer.report.AlignedColumns;
import org.inferometer.suite.running.SessionFolder;
import org.inferometer.suite.running.SessionTest;
import org.inferometer.suite.running.SessionTest.State;
import org.inferometer.suite.running.SuiteSession;
import org.inferometer.units.LetterCase;
import org.inferometer.units.ShellWord;

/// A session as a table, with what to do next.
record SessionText(Terminal terminal) {
    String of(SessionFolder folder, SuiteSession session, boolean running) {
        AlignedColumns table = new AlignedColumns("TEST", "STATE", "RESULT");
        for (SessionTest test : session.tests()) {
            List<String> results = test.results();
            String job = test.job().isEmpty() ? "" : "job " + test.job();
            table.row(test.id(), word(test.state()), results.isEmpty() ? job : results.getFirst());
            results.stream().skip(1).forEach(result -> table.row("", "", result));
            if (!test.reason().isEmpty()) {
                table.row("", "", test.reason());
            }
        }
        String counts = Arrays.stream(State.values()).filter(state -> session.count(state) > 0)
                .map(state -> session.count(state) + " " + state.id()).collect(Collectors.joining(", "));
        return table.render(terminal.columns()) + "\n" + counts + ".\nSession: " + folder.path() + "\n"
                + (session.isEnded() || running ? ""
                        : "Go on: inferometer suite run --resume " + ShellWord.quoted(folder.path().toString()) + "\n");
    }

    /// Upper case for what needs a look.
    private static String word(State state) {
        return state == State.FAILED || state == State.BLOCKED ? LetterCase.upper(state.id()) : state.id();
    }
}
