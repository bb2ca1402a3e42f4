package org.inferometer.cli.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.ResultFinder;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.results.ResultNotes;
import org.inferometer.units.FileFault;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `results note`: names, stars and tags a result, and writes notes; without options, shows them.
@Command(name = "note",
        description = "Name, star and tag a result, and write notes. The record is not changed. Without options: show them.",
        footer = {"", "Examples:", "  inferometer results note latest --name \"driver 580\" --tag h200 --star",
                "  inferometer results note latest --text \"first run after the update\"", ""})
public final class ResultsNoteCommand extends JsonCommand {
    @Parameters(index = "0", paramLabel = "RESULT", description = "Its id, its folder, or latest.")
    String result = "";

    @Option(names = "--name", paramLabel = "NAME", description = "Name in lists; empty for the experiment's own.")
    @Nullable
    String name;

    @Option(names = "--text", paramLabel = "TEXT", description = "Notes; empty removes them.")
    @Nullable
    String text;

    @Option(names = "--tag", paramLabel = "TAG", description = "Add a tag; repeat it for more.")
    List<String> tags = List.of();

    @Option(names = "--untag", paramLabel = "TAG", description = "Remove a tag; repeat it for more.")
    List<String> removed = List.of();

    @Option(names = "--star", negatable = true, description = "Mark the result with a star, or remove it.")
    @Nullable
    Boolean star;

    public ResultsNoteCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException, CommandException {
        Path folder = new ResultFinder(services()).find(result);
        ResultNotes before = ResultNotes.read(folder);
        ResultNotes notes = changed(before);
        if (!notes.equals(before)) {
            try {
                notes.write(folder);
            } catch (IOException e) {
                throw new CommandException("The notes are not saved. " + FileFault.sentence(e), e);
            }
        }
        print(notes, () -> text(notes));
        return ExitCodes.DONE;
    }

    private ResultNotes changed(ResultNotes before) throws UsageException {
        try {
            String all = Stream.concat(before.tags().stream(), tags.stream()).filter(tag -> !removed.contains(tag))
                    .collect(Collectors.joining(" "));
            return ResultNotes.of(name == null ? before.name() : name, star == null ? before.starred() : star, all,
                    text == null ? before.text() : text);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private static String text(ResultNotes notes) {
        if (notes.equals(ResultNotes.NONE)) {
            return "No name, star, tags or notes.\n";
        }
        String line = notes.line();
        return (line.isEmpty() ? "" : line + "\n")
                + notes.lines().stream().map(each -> each + "\n").collect(Collectors.joining());
    }
}
