package org.inferometer.cli.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.ResultFinder;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.results.ResultTrash;
import org.inferometer.units.FileFault;
import org.inferometer.units.PlainText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `results delete`: moves results into the trash of the workspace.
@Command(name = "delete",
        description = "Move results of the workspace into its trash, where they stay for 30 days. See: results restore.",
        footer = {"", "Examples:", "  inferometer results delete 2026-11-21_141503_quick", ""})
public final class ResultsDeleteCommand extends JsonCommand {
    @Parameters(arity = "1..*", paramLabel = "RESULT", description = "Its id, its folder, or latest.")
    List<String> named = List.of();

    public ResultsDeleteCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException, CommandException {
        List<Path> folders = new ArrayList<>();
        for (String result : named) {
            folders.add(new ResultFinder(services()).find(result));
        }
        ResultTrash trash = new ResultTrash(services().workspace().results());
        List<String> ids = new ArrayList<>();
        for (Path folder : folders) {
            try {
                ids.add(PlainText.of(trash.delete(folder, services().clock().wall()).id()));
            } catch (IOException e) {
                throw new CommandException(FileFault.sentence(e), e);
            }
        }
        print(ids, () -> "Deleted: " + String.join(", ", ids) + ". To get it back: inferometer results restore "
                + ids.getFirst() + "\n");
        return ExitCodes.DONE;
    }
}
