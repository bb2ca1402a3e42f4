package org.inferometer.cli.suite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.AlignedColumns;
import org.inferometer.report.document.CsvText;
import org.inferometer.results.AtomicFile;
import org.inferometer.suite.figures.TestPair;
import org.inferometer.suite.running.SessionRecords;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `suite compare`: figures of tests in pairs.
@Command(name = "compare",
        description = "Compare the tests of two sessions that have the same name, or the tests of one session whose names differ in the cache transceiver alone (ccb-DEFAULT, ccb-UCX). Figures are means over runs without intervals; for a verdict, use gate. Exits with 1 if a loss is above the margin.",
        footer = {"", "Examples:", "  inferometer suite compare latest",
                "  inferometer suite compare 2026-03-01_101500_perf latest --margin 3",
                "  inferometer suite compare latest --csv backends.csv", ""})
public final class SuiteCompareCommand extends JsonCommand {
    private static final List<String> COLUMNS = List.of("test_case_name_default", "test_case_name_ucx", "metric_type",
            "default_value", "ucx_value", "diff_pct", "regression_pct", "status");

    @Parameters(index = "0", paramLabel = "SESSION", description = "A session: its id, its folder, or latest.")
    String base = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "OTHER", description = "A session to compare with the first.")
    @Nullable
    String other;

    @Option(names = "--margin", paramLabel = "PERCENT", defaultValue = "5",
            description = "Largest loss that passes, percent of the base. Default: 5.")
    double margin = 5;

    @Option(names = "--csv", paramLabel = "FILE",
            description = "Write the pairs with the columns of the framework's table of backends.")
    @Nullable
    Path csv;

    public SuiteCompareCommand(RootCommand root) {
        super(root);
    }

    /// What `--json` prints for a pair.
    private record PairLine(String base, String candidate, String load, String metric, double baseValue,
            double candidateValue, double differencePercent, int runs, String status) {}

    @Override
    public Integer call() throws UsageException, IOException {
        if (!(margin >= 0 && margin <= 1000)) {
            throw new UsageException("--margin " + margin + ": give a number from 0 to 1000.");
        }
        String second = other;
        List<TestPair> pairs = second == null ? TestPair.ofTransceivers(records(base))
                : TestPair.ofSessions(records(base), records(second));
        if (pairs.isEmpty()) {
            throw new UsageException(second == null
                    ? "No two complete tests differ in the cache transceiver alone. Name a second session."
                    : "No complete test of one session has a partner of the same name and load in the other.");
        }
        if (csv != null) {
            CsvText text = new CsvText(COLUMNS);
            pairs.forEach(pair -> text.row(pair.csv(margin)));
            AtomicFile.write(csv, text.toString().getBytes(StandardCharsets.UTF_8));
        }
        print(pairs.stream()
                .map(pair -> new PairLine(pair.base(), pair.candidate(), pair.load().text(), pair.figure().label(),
                        pair.baseValue(), pair.candidateValue(), pair.differencePercent(), pair.runs(),
                        pair.status(margin)))
                .toList(), () -> text(pairs));
        return pairs.stream().allMatch(pair -> pair.lossPercent() <= margin) ? ExitCodes.DONE
                : ExitCodes.VERDICT_FAILED;
    }

    private Map<String, List<ExperimentRecord>> records(String session) throws UsageException, IOException {
        return new SessionRecords(services().workspace().results())
                .of(SessionFinder.in(services()).find(session).read());
    }

    private String text(List<TestPair> pairs) {
        AlignedColumns table =
                new AlignedColumns("LOAD", "METRIC", "BASE>", "CANDIDATE>", "UNIT", "CHANGE>", "RUNS>", "");
        String title = "";
        for (TestPair pair : pairs) {
            String tests =
                    pair.base().equals(pair.candidate()) ? pair.base() : pair.base() + " and " + pair.candidate();
            if (!tests.equals(title)) {
                table.row(tests, "", "", "", "", "", "", "");
                title = tests;
            }
            table.row("  " + pair.load().text(), pair.figure().label(), number(pair.baseValue()),
                    number(pair.candidateValue()), pair.figure().unit(),
                    String.format(Locale.ROOT, "%+.1f %%", pair.differencePercent()), String.valueOf(pair.runs()),
                    pair.lossPercent() > margin ? "WORSE" : "");
        }
        long worse = pairs.stream().filter(pair -> pair.lossPercent() > margin).count();
        return table.render(terminal().columns()) + "\n" + worse + " of " + pairs.size()
                + " figures are worse by more than " + number(margin)
                + " %. They have no intervals; for a verdict: inferometer gate BASE CANDIDATE\n";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.2f", value);
    }
}
