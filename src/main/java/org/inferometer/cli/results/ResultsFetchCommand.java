package org.inferometer.cli.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.remote.RemoteResults;
import org.inferometer.remote.SshHost;
import org.inferometer.units.FileFault;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `results fetch`: brings a result of another machine here.
@Command(name = "fetch",
        description = "Bring a result of another machine here, through ssh. It appears whole or not at all.",
        footer = {"", "Examples:", "  inferometer results fetch ssh:gpu1 latest",
                "  inferometer results fetch ssh:me@gpu1,command=/opt/inferometer/bin/inferometer 2026-11-23_101500_chat",
                ""})
public final class ResultsFetchCommand extends JsonCommand {
    @Parameters(index = "0", paramLabel = "ssh:HOST", description = "The machine, as for run --on.")
    String host = "";

    @Parameters(index = "1", paramLabel = "RESULT", description = "The result's id there, or latest.")
    String result = "";

    public ResultsFetchCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException, CommandException {
        SshHost machine;
        try {
            machine = SshHost.parse(host);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        try {
            Path folder = new RemoteResults(services().workspace().results()).fetch(machine, result);
            print(Map.of("result", String.valueOf(folder.getFileName()), "path", folder.toString()),
                    () -> "fetched " + folder.getFileName() + "\n");
            return ExitCodes.DONE;
        } catch (IOException e) {
            throw new CommandException(FileFault.sentence(e), e);
        }
    }
}
