package org.inferometer.cli.results;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.cli.suite.SessionFinder;
import org.inferometer.engine.build.InterruptedBuild;
import org.inferometer.results.OutputFolders;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.ResultPruning;
import org.inferometer.run.Workspace;
import org.inferometer.units.FileFault;
import org.inferometer.units.FileName;
import org.inferometer.units.Leftovers;
import org.inferometer.units.PlainText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `results prune`: deletes old results and what killed processes left; a dry run unless `--yes` is given.
@Command(name = "prune",
        description = "Delete old results and files that killed processes left (dry run without --yes). "
                + "Without --keep and --older-than, only such files. Keeps running and unreadable results.",
        footer = {"", "Examples:", "  inferometer results prune", "  inferometer results prune --keep 20 --dry-run",
                "  inferometer results prune --older-than 30d --yes", ""})
public final class ResultsPruneCommand extends JsonCommand {
    private static final Pattern AGE = Pattern.compile("(\\d{1,5})\\s*([hdw])");
    /// Logs of a test, records of its jobs, their runs.
    private static final int SESSION_DEPTH = 7;

    @Option(names = "--keep", paramLabel = "N", description = "Keep the N newest results.")
    @Nullable
    String keep;

    @Option(names = "--older-than", paramLabel = "AGE",
            description = "Delete results older than this: 12h, 30d or 4w. With --keep, both rules must hold.")
    @Nullable
    String olderThan;

    @Option(names = "--dry-run", description = "Only print what would be deleted, even with --yes.")
    boolean dryRun;

    @Option(names = "--yes", description = "Delete the results and files.")
    boolean yes;

    @Option(names = "--folder", paramLabel = "DIR",
            description = "Folder with results, reports or exports. Default: the workspace, its engines, and the outputs of killed commands.")
    @Nullable
    Path folder;

    public ResultsPruneCommand(RootCommand root) {
        super(root);
    }

    /// What `--json` prints.
    ///
    /// @param deleted false for a dry run
    /// @param paths old results
    /// @param leftovers files and folders of killed processes outside these results
    private record PruneOutcome(boolean deleted, List<String> paths, List<String> leftovers) {}

    @Override
    public Integer call() throws UsageException, CommandException {
        Path where = folder == null ? services().workspace().results() : folder;
        List<Path> old = rule().map(rule -> rule.chosen(new ResultLibrary(where).list(), services().clock().wall()))
                .orElse(List.of()).stream().map(ResultLibrary.Entry::folder).toList();
        List<CommandException> faults = new ArrayList<>();
        List<OutputFolders.Interrupted> interrupted = interrupted();
        boolean deletes = yes && !dryRun;
        List<Path> left = leftovers(where, old, interrupted, faults).stream()
                .filter(each -> !isKept(each, deletes, faults)).toList();
        PruneOutcome outcome = deletes
                ? new PruneOutcome(true, plain(deleted(old, ResultPruning::delete, faults)),
                        plain(deleted(left, Leftovers::delete, faults)))
                : new PruneOutcome(false, plain(old), plain(left));
        if (deletes) {
            interrupted.forEach(each -> forget(each, faults));
        }
        print(outcome, () -> text(outcome, where));
        if (!faults.isEmpty()) {
            throw new CommandException(
                    faults.stream().map(CommandException::getMessage).distinct().collect(Collectors.joining(" ")),
                    faults.getFirst());
        }
        return ExitCodes.DONE;
    }

    private static List<String> plain(List<Path> paths) {
        return paths.stream().map(path -> PlainText.of(path.toString())).toList();
    }

    private static String text(PruneOutcome outcome, Path where) {
        int results = outcome.paths.size();
        int leftovers = outcome.leftovers.size();
        if (results + leftovers == 0) {
            return "Nothing to delete in " + where + ".\n";
        }
        String verb = outcome.deleted ? "deleted " : "would delete ";
        String counts = Stream
                .of(results > 0 ? results + (results == 1 ? " result" : " results") : "",
                        leftovers > 0 ? leftovers + (leftovers == 1 ? " leftover" : " leftovers") : "")
                .filter(text -> !text.isEmpty()).collect(Collectors.joining(" and "));
        return outcome.paths.stream().map(path -> verb + path + "\n").collect(Collectors.joining())
                + outcome.leftovers.stream().map(path -> verb + path + origin(path)).collect(Collectors.joining())
                + counts + (outcome.deleted ? " deleted.\n" : " would be deleted. Add --yes to delete.\n");
    }

    private static String origin(String leftover) {
        return FileName.last(leftover).startsWith(Leftovers.BUILDING) ? " (an interrupted build)\n"
                : " (left by a killed process)\n";
    }

    /// What killed commands wrote to outside the workspace; none if a folder was given.
    private List<OutputFolders.Interrupted> interrupted() throws CommandException {
        try {
            return folder == null ? OutputFolders.of(services().workspace().root()).interrupted() : List.of();
        } catch (IOException e) {
            throw cannotLook(e);
        }
    }

    /// Those in the folder, or in all usual folders and outputs if none was given; none in results that are deleted.
    ///
    /// @param faults gets a sentence for each output that cannot be listed
    private List<Path> leftovers(Path where, List<Path> old, List<OutputFolders.Interrupted> interrupted,
            List<CommandException> faults) throws CommandException {
        Set<Path> left = new LinkedHashSet<>();
        try {
            left.addAll(Leftovers.in(where));
            if (folder == null) {
                Workspace workspace = services().workspace();
                left.addAll(Leftovers.search(workspace.root(), 0).paths());
                left.addAll(Leftovers.search(workspace.presets(), 0).paths());
                left.addAll(Leftovers.in(workspace.root().resolve("sample-results")));
                for (Path sessions : List.of(workspace.suites(), SessionFinder.in(services()).sessions())) {
                    left.addAll(Leftovers.search(sessions, SESSION_DEPTH).paths());
                }
                for (Path engines : workspace.engineFolders()) {
                    left.addAll(Leftovers.in(engines));
                }
            }
        } catch (UncheckedIOException e) {
            throw cannotLook(Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw cannotLook(e);
        }
        for (OutputFolders.Interrupted each : interrupted) {
            try {
                left.addAll(each.leftovers().paths());
            } catch (IOException e) {
                faults.add(cannotLook(e));
            }
        }
        left.removeIf(path -> old.stream().anyMatch(path::startsWith));
        return List.copyOf(left);
    }

    /// Whether a leftover is a complete build of an engine. If files are deleted, it is moved to its engine.
    ///
    /// @param faults gets a sentence if it stays
    private boolean isKept(Path left, boolean deletes, List<CommandException> faults) {
        if (!InterruptedBuild.isNeeded(left)) {
            return false;
        }
        try {
            if (deletes) {
                if (!services().workspace().engineFolders().contains(left.getParent())) {
                    throw new IOException("it is not in the folder of the engines");
                }
                InterruptedBuild.finish(left);
            }
        } catch (IOException e) {
            faults.add(new CommandException(left + " is a complete build and stays: it is not moved to its engine ("
                    + FileFault.describe(e) + "). Build the engine again, or delete the folder.", e));
        }
        return true;
    }

    /// Keeps the note of an output where something is left, that a process writes now, or whose disk is not there.
    private static void forget(OutputFolders.Interrupted output, List<CommandException> faults) {
        try {
            Leftovers.Found left = output.leftovers();
            if (left.paths().isEmpty() && !left.written() && output.isReachable()) {
                output.forget();
            }
        } catch (IOException e) {
            faults.add(cannotLook(e));
        }
    }

    private static CommandException cannotLook(IOException e) {
        return new CommandException("Cannot look for leftovers: " + FileFault.describe(e) + ".", e);
    }

    /// Empty without a rule.
    private Optional<ResultPruning> rule() throws UsageException {
        if (keep == null && olderThan == null) {
            return Optional.empty();
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
        return Optional.of(new ResultPruning(keep == null ? 0 : Integer.parseInt(keep), age(age)));
    }

    private static Duration age(Matcher written) {
        long count = Long.parseLong(written.group(1));
        return switch (written.group(2)) {
            case "w" -> Duration.ofDays(7 * count);
            case "d" -> Duration.ofDays(count);
            default -> Duration.ofHours(count);
        };
    }

    private interface Deletion {
        void delete(Path path) throws IOException;
    }

    /// Deletes what can be deleted and returns it.
    ///
    /// @param faults gets a sentence for each that cannot
    private static List<Path> deleted(List<Path> paths, Deletion deletion, List<CommandException> faults) {
        List<Path> deleted = new ArrayList<>();
        for (Path each : paths) {
            try {
                deletion.delete(each);
                deleted.add(each);
            } catch (IOException e) {
                faults.add(new CommandException("Cannot delete " + FileFault.describe(each, e) + ".", e));
            }
        }
        return deleted;
    }
}
