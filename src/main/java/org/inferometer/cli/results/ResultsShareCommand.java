package org.inferometer.cli.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.ResultFinder;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.results.Anonymizer;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.units.FileFault;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `results share`: an anonymised copy of a result.
@Command(name = "share", description = "Copy a result without host name, user name and paths.",
        footer = {"", "Examples:", "  inferometer results share latest --out shared/quick", ""})
public final class ResultsShareCommand extends JsonCommand {
    @Parameters(index = "0", paramLabel = "RESULT", description = "Result ID, folder or latest.")
    String named = "";

    @Option(names = "--out", required = true, paramLabel = "DIR",
            description = "Folder for the copy; must not contain a result.")
    Path out = Path.of("");

    public ResultsShareCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException, CommandException {
        ExperimentRecord experiment = new ResultFinder(services()).open(named);
        try {
            new Anonymizer(TextAnonymizer.ofThisMachine(services().environment())).copy(experiment, out);
        } catch (IOException e) {
            throw new CommandException(FileFault.sentence(e), e);
        }
        print(List.of(out.toString()), () -> "Anonymised copy: " + out + "\n");
        return ExitCodes.DONE;
    }
}
