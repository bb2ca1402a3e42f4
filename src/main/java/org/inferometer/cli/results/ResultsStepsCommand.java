package org.inferometer.cli.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.ResultFinder;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunRecord;
import org.inferometer.report.AlignedColumns;
import org.inferometer.report.StepListing;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `results steps`: the steps and events of one run.
@Command(name = "steps",
        description = "Show the steps of one run with admissions, preemptions and KV transfers between them.",
        footer = {"", "Examples:", "  inferometer results steps latest",
                "  inferometer results steps latest --run 2 --from 1.5 --to 2",
                "  inferometer results steps latest --limit 100000 --json", ""})
public final class ResultsStepsCommand extends JsonCommand {
    private static final String LEGEND =
            "PRE prefill tokens, DEC decode tokens, PAD padding tokens, ROWS requests, KV blocks in use, "
                    + "WAIT waiting requests, * event.";
    private static final int USUAL_LIMIT = 40;
    private static final int MOST_STEPS = 10_000_000;

    @Parameters(paramLabel = "RESULT", description = "Result ID, folder or latest.")
    String named = "";

    @Option(names = "--run", paramLabel = "N", description = "Run number in execution order, from 0. Default: 0.")
    @Nullable
    String run;

    @Option(names = "--from", paramLabel = "S",
            description = "Start, in seconds since measuring began; the warm-up is before 0. Default: 0.")
    @Nullable
    String from;

    @Option(names = "--to", paramLabel = "S",
            description = "End, in seconds since measuring began. Default: end of the run.")
    @Nullable
    String to;

    @Option(names = "--limit", paramLabel = "N", description = "Maximum number of steps. Default: 40.")
    @Nullable
    String limit;

    public ResultsStepsCommand(RootCommand root) {
        super(root);
    }

    /// What `--json` prints.
    private record Document(String experiment, String run, String cell, List<StepListing.Line> lines, long leftOut) {}

    @Override
    public Integer call() throws UsageException {
        StepListing.Span span = new StepListing.Span(1e3 * seconds("--from", from, 0),
                1e3 * seconds("--to", to, Double.POSITIVE_INFINITY), (int) whole("--limit", limit, 1, USUAL_LIMIT));
        ExperimentRecord experiment = only(new ResultFinder(services()).open(named), run == null ? "0" : run);
        RunRecord chosen = experiment.runs().getFirst();
        StepListing table = StepListing.of(chosen, span);
        print(new Document(experiment.manifest().id(), chosen.folderName(), chosen.manifest().plan().cell().label(),
                table.lines(), table.leftOut()), () -> text(chosen, table));
        return ExitCodes.DONE;
    }

    private String text(RunRecord chosen, StepListing table) {
        String head = AlignedColumns.paragraph(chosen.folderName() + ": " + chosen.manifest().plan().cell().label(), "",
                terminal().columns());
        if (table.lines().isEmpty()) {
            return head + "No steps were recorded in this interval.\n";
        }
        AlignedColumns columns = new AlignedColumns("STEP>", "LANE>", "START ms>", "TIME ms>", "PRE>", "DEC>", "PAD>",
                "ROWS>", "KV>", "WAIT>", "REASON: REQUESTS");
        List<StepListing.Event> together = new ArrayList<>();
        for (StepListing.Line line : table.lines()) {
            switch (line) {
                case StepListing.Step step -> {
                    events(columns, together);
                    columns.row(Long.toString(step.number()), Integer.toString(step.lane()), millis(step.atMillis()),
                            millis(step.timeMillis()), Integer.toString(step.prefillPositions()),
                            Integer.toString(step.decodeRows()), Integer.toString(step.paddingPositions()),
                            Integer.toString(step.rows()), Integer.toString(step.kvBlocks()),
                            Integer.toString(step.waiting()), step.reason() + ": " + step.requests());
                }
                case StepListing.Event event -> {
                    if (!together.isEmpty() && !alike(together.getFirst(), event)) {
                        events(columns, together);
                    }
                    together.add(event);
                }
            }
        }
        events(columns, together);
        String rest = table.leftOut() == 0 ? ""
                : table.leftOut() + " more steps. Raise --limit, or choose an interval with --from and --to.\n";
        return head + columns.render(terminal().columns()) + AlignedColumns.paragraph(LEGEND, "", terminal().columns())
                + rest;
    }

    /// Adds events of the same kind and time as one row.
    private static void events(AlignedColumns columns, List<StepListing.Event> together) {
        if (!together.isEmpty()) {
            StepListing.Event first = together.getFirst();
            String subjects = together.stream().map(StepListing.Event::subject).collect(Collectors.joining(" "));
            columns.row("-", "", millis(first.atMillis()), "", "", "", "", "", "", "", "* " + first.kind() + " "
                    + subjects + (first.detail().isEmpty() ? "" : " (" + first.detail() + ")"));
            together.clear();
        }
    }

    private static boolean alike(StepListing.Event one, StepListing.Event other) {
        return one.atMillis() == other.atMillis() && one.kind().equals(other.kind())
                && one.detail().equals(other.detail());
    }

    /// The experiment with the one run of a number.
    static ExperimentRecord only(ExperimentRecord experiment, String run) throws UsageException {
        int number = (int) whole("--run", run, 0, 0);
        List<RunRecord> chosen = experiment.runs().stream()
                .filter(each -> each.manifest().plan().index().run() == number).limit(1).toList();
        if (chosen.isEmpty()) {
            throw new UsageException(unknown(experiment, number));
        }
        return new ExperimentRecord(experiment.folder(), experiment.manifest(), chosen, experiment.notes());
    }

    private static String unknown(ExperimentRecord experiment, int number) {
        List<Integer> runs =
                experiment.runs().stream().map(each -> each.manifest().plan().index().run()).sorted().toList();
        return runs.isEmpty() ? "The result has no readable run." : "Unknown run " + number + ". Valid: "
                + runs.stream().map(String::valueOf).collect(Collectors.joining(", ")) + ".";
    }

    private static String millis(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static double seconds(String option, @Nullable String text, double otherwise) throws UsageException {
        if (text == null) {
            return otherwise;
        }
        try {
            double value = Double.parseDouble(text.strip());
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new UsageException(option + ": \"" + text + "\" is not a number of seconds.");
        }
        throw new UsageException(option + ": \"" + text + "\" is not a number of seconds.");
    }

    /// A whole number from `least` to ten million; `otherwise` without a text.
    static long whole(String option, @Nullable String text, long least, long otherwise) throws UsageException {
        if (text == null) {
            return otherwise;
        }
        if (text.matches("\\d{1,8}") && Long.parseLong(text) >= least && Long.parseLong(text) <= MOST_STEPS) {
            return Long.parseLong(text);
        }
        throw new UsageException(
                option + ": \"" + text + "\" is not a whole number from " + least + " to " + MOST_STEPS + ".");
    }
}
