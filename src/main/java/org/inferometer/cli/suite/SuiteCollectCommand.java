package org.inferometer.cli.suite;

import java.io.IOException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.suite.running.SessionFolder;
import org.inferometer.suite.running.SessionTest.State;
import org.inferometer.suite.running.SlurmSite;
import org.inferometer.suite.running.SuiteRunner;
import org.inferometer.suite.running.SuiteSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `suite collect`: takes the records of jobs that have ended.
@Command(name = "collect",
        description = "Take the records of jobs that have ended on the cluster into the library, and wait for none. Exits with 0 if every test is complete, else with 3.",
        footer = {"", "Examples:", "  inferometer suite collect latest", "  inferometer suite collect latest --cancel",
                ""})
public final class SuiteCollectCommand extends JsonCommand {
    @Parameters(index = "0", paramLabel = "SESSION", description = "A session: its id, its folder, or latest.")
    String name = "";

    @Option(names = "--cancel", description = "Cancel the jobs that have not ended, before collecting.")
    boolean cancel;

    public SuiteCollectCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException, IOException, InterruptedException {
        SessionFolder session = SessionFinder.in(services()).find(name);
        SessionRun run = SessionRun.of(services(), terminal(), session);
        SlurmSite site = run.slurm(new SlurmOptions().settings(services()).lookingAtOnce());
        if (cancel) {
            site.cancelJobs(session);
        }
        SuiteSession now = run.follow(site, SuiteRunner::collect);
        print(now, () -> new SessionText(terminal()).of(session, now, false));
        return now.count(State.COMPLETE) == now.tests().size() ? ExitCodes.DONE : ExitCodes.RUN_FAILED;
    }
}
