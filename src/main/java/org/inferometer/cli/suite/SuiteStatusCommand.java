package org.inferometer.cli.suite;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.report.AlignedColumns;
import org.inferometer.suite.running.SessionFolder;
import org.inferometer.suite.running.SessionTest.State;
import org.inferometer.suite.running.SuiteSession;
import org.inferometer.units.FileFault;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `suite status`: the sessions, or the tests of one.
@Command(name = "status", description = "List the sessions that suite run made, or show how far the tests of one are.",
        footer = {"", "Examples:", "  inferometer suite status", "  inferometer suite status latest",
                "  inferometer suite status latest --json", ""})
public final class SuiteStatusCommand extends JsonCommand {
    @Parameters(index = "0", arity = "0..1", paramLabel = "SESSION",
            description = "A session: its id, its folder, or latest. Default: all.")
    @Nullable
    String name;

    public SuiteStatusCommand(RootCommand root) {
        super(root);
    }

    /// @param running whether a process runs the session now
    private record SessionLine(@JsonUnwrapped SuiteSession session, boolean running) {
        static SessionLine of(SessionFolder folder) throws IOException {
            return new SessionLine(folder.read(), folder.isRunning());
        }
    }

    @Override
    public Integer call() throws UsageException, IOException {
        SessionFinder finder = SessionFinder.in(services());
        if (name != null) {
            SessionFolder folder = finder.find(name);
            SessionLine line = SessionLine.of(folder);
            print(line, () -> new SessionText(terminal()).of(folder, line.session, line.running));
            return ExitCodes.DONE;
        }
        List<SessionLine> lines = new ArrayList<>();
        List<String> broken = new ArrayList<>();
        for (Path path : finder.folders()) {
            try {
                lines.add(SessionLine.of(new SessionFolder(path)));
            } catch (IOException e) {
                broken.add(FileFault.sentence(e));
            }
        }
        print(lines, () -> text(finder, lines));
        broken.forEach(terminal()::fault);
        return ExitCodes.DONE;
    }

    private String text(SessionFinder finder, List<SessionLine> lines) {
        if (lines.isEmpty()) {
            return "No sessions in " + finder.sessions() + ". Run a suite: inferometer suite run DIR\n";
        }
        AlignedColumns table = new AlignedColumns("SESSION", "TESTS>", "COMPLETE>", "FAILED>", "BLOCKED>", "STATE");
        for (SessionLine line : lines) {
            SuiteSession session = line.session;
            table.row(session.id(), String.valueOf(session.tests().size()), count(session, State.COMPLETE),
                    count(session, State.FAILED), count(session, State.BLOCKED),
                    line.running ? "running" : session.isEnded() ? "ended" : "stopped");
        }
        return table.render(terminal().columns());
    }

    private static String count(SuiteSession session, State state) {
        return String.valueOf(session.count(state));
    }
}
