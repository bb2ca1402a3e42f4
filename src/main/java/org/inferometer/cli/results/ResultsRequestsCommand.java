package org.inferometer.cli.results;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.ResultFinder;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.AlignedColumns;
import org.inferometer.report.requests.RequestColumn;
import org.inferometer.report.requests.RequestListing;
import org.inferometer.report.requests.RequestListing.Conditions;
import org.inferometer.units.LetterCase;
import org.inferometer.units.NearMisses;
import org.inferometer.units.PlainText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `results requests`: the requests of a result that meet conditions.
@Command(name = "requests", description = "List requests that meet conditions, in the order of a column.",
        footer = {"", "Columns: run, request, sent, late, queue, ttft, tpot, gap, e2e, prompt, output; status.",
                "Times in the table are milliseconds.", "", "Examples:",
                "  inferometer results requests latest --sort e2e --limit 10",
                "  inferometer results requests latest --filter \"ttft > 2s and status != ok\"", ""})
public final class ResultsRequestsCommand extends JsonCommand {
    private static final int USUAL_LIMIT = 40;

    @Parameters(paramLabel = "RESULT", description = "Result ID, folder or latest.")
    String named = "";

    @Option(names = "--filter", paramLabel = "CONDITIONS", description = "Conditions, joined by and. Default: none.")
    String filter = "";

    @Option(names = "--sort", paramLabel = "COLUMN",
            description = "Order: the largest first. Default: by run and request.")
    @Nullable
    String sort;

    @Option(names = "--run", paramLabel = "N", description = "Run number in execution order, from 0. Default: all.")
    @Nullable
    String run;

    @Option(names = "--limit", paramLabel = "N", description = "Maximum number of requests. Default: 40.")
    @Nullable
    String limit;

    public ResultsRequestsCommand(RootCommand root) {
        super(root);
    }

    /// What `--json` prints; durations in milliseconds, unknown values absent.
    private record Document(String experiment, int found, List<Map<String, Object>> requests) {}

    @Override
    public Integer call() throws UsageException {
        RequestColumn by = RequestColumn.RUN;
        if (sort != null) {
            String wanted = sort;
            by = RequestColumn.find(wanted)
                    .orElseThrow(() -> new UsageException(NearMisses.sentence("column", wanted, RequestColumn.ids())));
        }
        Conditions conditions = conditions();
        int most = (int) ResultsStepsCommand.whole("--limit", limit, 1, USUAL_LIMIT);
        ExperimentRecord whole = new ResultFinder(services()).open(named);
        ExperimentRecord chosen = run == null ? whole : ResultsStepsCommand.only(whole, run);
        RequestListing found = RequestListing.of(chosen.runs()).arranged(conditions, by, sort != null);
        List<RequestListing.Row> rows = found.first(most);
        print(new Document(chosen.manifest().id(), found.size(),
                rows.stream().map(ResultsRequestsCommand::json).toList()), () -> text(found, rows));
        return ExitCodes.DONE;
    }

    private Conditions conditions() throws UsageException {
        try {
            return new Conditions(filter);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private static Map<String, Object> json(RequestListing.Row row) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (RequestColumn column : RequestColumn.values()) {
            double value = row.value(column);
            if (!Double.isNaN(value)) {
                if (column.unit() == RequestColumn.Unit.COUNT) {
                    values.put(column.id(), (long) value);
                } else {
                    values.put(column.id() + "Millis", value / 1e6);
                }
            }
        }
        values.put("status", row.request().status().id());
        Optional.of(row.request().reason()).filter(reason -> !reason.isEmpty())
                .ifPresent(reason -> values.put("reason", reason));
        return values;
    }

    private String text(RequestListing found, List<RequestListing.Row> rows) {
        if (rows.isEmpty()) {
            return "No request meets the conditions.\n";
        }
        AlignedColumns table = new AlignedColumns(
                Stream.concat(RequestColumn.ids().stream().map(id -> LetterCase.upper(id) + ">"), Stream.of("STATUS"))
                        .toArray(String[]::new));
        rows.forEach(
                row -> table
                        .row(Stream
                                .concat(Arrays.stream(RequestColumn.values()).map(column -> text(row, column)),
                                        Stream.of(PlainText.of(
                                                (row.request().status().id() + " " + row.request().reason()).strip())))
                                .toArray(String[]::new)));
        int rest = found.size() - rows.size();
        return table.render(terminal().columns()) + (rest == 0 ? "" : rest + " more. Raise --limit.\n");
    }

    private static String text(RequestListing.Row row, RequestColumn column) {
        String text = row.text(column);
        return text.isEmpty() ? "-" : text;
    }
}
