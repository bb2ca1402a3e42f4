package org.inferometer.cli.results;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.ResultPruning;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `results prune`: deletes old results; a dry run unless `--yes` is given.
@Command(name = "prune",
        description = "Delete old results (dry run without --yes). Keeps running and unreadable results.",
        footer = {"", "Examples:", "  inferometer results prune --keep 20 --dry-run",
                "  inferometer results prune --older-than 30d --yes", ""})
public final class ResultsPruneCommand extends JsonCommand {
    private static final Pattern AGE = Pattern.compile("(\\d{1,5})\\s*([hdw])");

    @Option(names = "--keep", paramLabel = "N", description = "Keep the N newest results.")
    @Nullable
    String keep;

    @Option(names = "--older-than", paramLabel = "AGE",
            description = "Delete results older than this: 12h, 30d or 4w. With --keep, both rules must hold.")
    @Nullable
    String olderThan;

    @Option(names = "--dry-run", description = "Only print what would be deleted, even with --yes.")
    boolean dryRun;

    @Option(names = "--yes", description = "Delete the results.")
    boolean yes;

    @Option(names = "--folder", paramLabel = "DIR",
            description = "Folder with results. Default: results in the workspace.")
    @Nullable
    Path folder;

    public ResultsPruneCommand(RootCommand root) {
        super(root);
    }

    /// What `--json` prints.
    ///
    /// @param deleted false for a dry run
    private record PruneOutcome(boolean deleted, List<String> paths) {}

    @Override
    public Integer call() throws UsageException, CommandException {
        Path where = folder == null ? services().workspace().results() : folder;
        List<ResultLibrary.Entry> old = rule().chosen(new ResultLibrary(where).list(), services().clock().wall());
        boolean deletes = yes && !dryRun;
        if (deletes) {
            delete(old);
        }
        PruneOutcome outcome = new PruneOutcome(deletes, old.stream().map(entry -> entry.folder().toString()).toList());
        print(outcome, () -> text(outcome, where));
        return ExitCodes.DONE;
    }

    private static String text(PruneOutcome outcome, Path where) {
        if (outcome.paths.isEmpty()) {
            return "Nothing to delete in " + where + ".\n";
        }
        String verb = outcome.deleted ? "deleted " : "would delete ";
        return outcome.paths.stream().map(path -> verb + path + "\n").collect(Collectors.joining())
                + outcome.paths.size() + (outcome.paths.size() == 1 ? " result" : " results")
                + (outcome.deleted ? " deleted.\n" : " would be deleted. Add --yes to delete.\n");
    }

    private ResultPruning rule() throws UsageException {
        if (keep == null && olderThan == null) {
            throw new UsageException("Give --keep N, --older-than AGE, or both.");
        }
        List<String> faults = new ArrayList<>();
        if (keep != null && !keep.matches("\\d{1,9}")) {
            faults.add("--keep: \"" + keep + "\" is not a whole number of at least 0.");
        }
        Matcher age = AGE.matcher(olderThan == null ? "0h" : olderThan.strip());
        if (!age.matches()) {
            faults.add("--older-than: \"" + olderThan + "\" is not an age. Write 12h, 30d or 4w.");
        }
        UsageException.throwIfAny(faults);
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

    private static void delete(List<ResultLibrary.Entry> old) throws CommandException {
        for (ResultLibrary.Entry each : old) {
            try {
                ResultPruning.delete(each);
            } catch (IOException e) {
                throw new CommandException("Cannot delete " + each.folder() + ": " + e.getMessage(), e);
            }
        }
    }
}
