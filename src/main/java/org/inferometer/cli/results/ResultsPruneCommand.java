package org.inferometer.cli.results;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.cli.CommandFailed;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonOption;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.WrongUse;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.ResultPruning;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `results prune`: deletes old experiments, and only when told twice.
@Command(name = "prune",
        description = "Deletes old results. Without --yes it only says what it would delete. Running and unreadable ones stay.",
        footer = {"", "Examples:", "  inferometer results prune --keep 20 --dry-run",
                "  inferometer results prune --older-than 30d --yes", ""})
public final class ResultsPruneCommand implements Callable<Integer> {
    private static final Pattern AGE = Pattern.compile("(\\d{1,5})\\s*([hdw])");

    private final RootCommand root;

    @Option(names = "--keep", paramLabel = "N", description = "Keep the N newest and delete the others.")
    @Nullable
    String keep;

    @Option(names = "--older-than", paramLabel = "AGE",
            description = "Delete those that started longer ago: 12h, 30d or 4w. With --keep, both must hold.")
    @Nullable
    String olderThan;

    @Option(names = "--dry-run", description = "Only say what would be deleted, even with --yes.")
    boolean dryRun;

    @Option(names = "--yes", description = "Delete.")
    boolean yes;

    @Option(names = "--folder", paramLabel = "DIR",
            description = "Folder of experiments. Default: results in the workspace.")
    @Nullable
    Path folder;

    @Mixin
    JsonOption json = new JsonOption();

    public ResultsPruneCommand(RootCommand root) {
        this.root = root;
    }

    /// What was, or would be, deleted.
    private record Outcome(boolean deleted, List<String> paths) {}

    @Override
    public Integer call() throws WrongUse, CommandFailed {
        Path where = folder == null ? root.services().workspace().results() : folder;
        List<ResultLibrary.Entry> old = rule().chosen(new ResultLibrary(where).list(), root.services().clock().wall());
        boolean deletes = yes && !dryRun;
        if (deletes) {
            delete(old);
        }
        if (json.asked) {
            json.print(root.terminal(),
                    new Outcome(deletes, old.stream().map(entry -> entry.folder().toString()).toList()));
            return ExitCodes.DONE;
        }
        old.forEach(entry -> root.terminal().out().println((deletes ? "deleted " : "would delete ") + entry.folder()));
        root.terminal().out()
                .println(old.isEmpty() ? "Nothing to delete in " + where + "."
                        : old.size() + (old.size() == 1 ? " result" : " results")
                                + (deletes ? " deleted." : "; nothing was deleted. --yes deletes."));
        root.terminal().out().flush();
        return ExitCodes.DONE;
    }

    private ResultPruning rule() throws WrongUse {
        if (keep == null && olderThan == null) {
            throw new WrongUse("Say what is old: --keep N, --older-than 30d, or both.");
        }
        List<String> faults = new ArrayList<>();
        if (keep != null && !keep.matches("\\d{1,9}")) {
            faults.add("--keep: \"" + keep + "\" is not a whole number from 0 on.");
        }
        Matcher age = AGE.matcher(olderThan == null ? "0h" : olderThan.strip());
        if (!age.matches()) {
            faults.add("--older-than: \"" + olderThan + "\" is no age; write 12h, 30d or 4w.");
        }
        if (!faults.isEmpty()) {
            throw new WrongUse(faults);
        }
        return new ResultPruning(keep == null ? 0 : Integer.parseInt(keep), age(age));
    }

    private static Duration age(Matcher written) {
        long count = Long.parseLong(written.group(1));
        return switch (written.group(2)) {
            case "w" -> Duration.ofDays(7 * count);
            case "d" -> Duration.ofDays(count);
            default -> Duration.ofHours(count);
        };
    }

    private static void delete(List<ResultLibrary.Entry> old) throws CommandFailed {
        for (ResultLibrary.Entry each : old) {
            try {
                ResultPruning.delete(each);
            } catch (IOException e) {
                throw new CommandFailed(each.folder() + " could not be deleted: " + e.getMessage(), e);
            }
        }
    }
}
