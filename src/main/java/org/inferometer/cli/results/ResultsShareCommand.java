package org.inferometer.cli.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.inferometer.cli.CommandFailed;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonOption;
import org.inferometer.cli.ResultChoice;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.WrongUse;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.results.Anonymizer;
import org.inferometer.results.TextAnonymizer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `results share`: a copy of a record that names no host, user or path.
@Command(name = "share",
        description = "Copies a result without host, user or path, for passing on. The original stays as it is.",
        footer = {"", "Examples:", "  inferometer results share latest --out shared/quick", ""})
public final class ResultsShareCommand implements Callable<Integer> {
    private final RootCommand root;

    @Parameters(index = "0", paramLabel = "RESULT", description = "Its id, its folder, or latest.")
    String named = "";

    @Option(names = "--out", required = true, paramLabel = "DIR",
            description = "Folder of the copy; it must not hold a result yet.")
    Path out = Path.of("");

    @Mixin
    JsonOption json = new JsonOption();

    public ResultsShareCommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws WrongUse, CommandFailed {
        ExperimentRecord experiment = new ResultChoice(root.services()).open(named);
        try {
            new Anonymizer(TextAnonymizer.ofThisMachine()).copy(experiment, out);
        } catch (IOException e) {
            throw new CommandFailed(String.valueOf(e.getMessage()), e);
        }
        if (json.asked) {
            json.print(root.terminal(), List.of(out.toString()));
        } else {
            root.terminal().out().println("Copied without host, user or path: " + out);
        }
        return ExitCodes.DONE;
    }
}
