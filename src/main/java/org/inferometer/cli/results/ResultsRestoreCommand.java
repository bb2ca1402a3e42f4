package org.inferometer.cli.results;

import java.io.IOException;
import java.util.List;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.report.AlignedColumns;
import org.inferometer.results.ResultTrash;
import org.inferometer.results.ResultTrash.Deleted;
import org.inferometer.units.FileFault;
import org.inferometer.units.NearMisses;
import org.inferometer.units.PlainText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `results restore`: moves a result out of the trash; without an id, lists what is there.
@Command(name = "restore", description = "Move a deleted result back. Without an id: list the deleted results.",
        footer = {"", "Examples:", "  inferometer results restore",
                "  inferometer results restore 2026-11-21_141503_quick", ""})
public final class ResultsRestoreCommand extends JsonCommand {
    @Parameters(index = "0", arity = "0..1", paramLabel = "ID", description = "Id of a deleted result.")
    @Nullable
    String id;

    public ResultsRestoreCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException, CommandException {
        ResultTrash trash = new ResultTrash(services().workspace().results());
        try {
            List<Deleted> deleted = trash.list();
            if (id == null) {
                print(deleted.stream().map(each -> PlainText.of(each.id())).toList(), () -> text(deleted));
                return ExitCodes.DONE;
            }
            String wanted = id;
            Deleted found = deleted.stream().filter(each -> each.id().equals(wanted)).findFirst()
                    .orElseThrow(() -> new UsageException(NearMisses.sentence("deleted result", wanted,
                            deleted.stream().map(each -> PlainText.of(each.id())).toList())));
            String folder = PlainText.of(trash.restore(found).toString());
            print(List.of(folder), () -> "Restored: " + folder + "\n");
            return ExitCodes.DONE;
        } catch (IOException e) {
            throw new CommandException(FileFault.sentence(e), e);
        }
    }

    private String text(List<Deleted> deleted) {
        if (deleted.isEmpty()) {
            return "The trash is empty.\n";
        }
        AlignedColumns table = new AlignedColumns("RESULT", "DELETED (UTC)");
        deleted.forEach(each -> table.row(PlainText.of(each.id()), each.when().toString()));
        return table.render(terminal().columns());
    }
}
