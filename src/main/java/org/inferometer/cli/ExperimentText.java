package org.inferometer.cli;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.report.AlignedColumns;
import org.inferometer.report.document.Reports;
import org.inferometer.report.document.VerdictText;
import org.inferometer.units.PlainText;
import org.inferometer.units.QuantityText;

/// An experiment as text: verdict, findings, tables, notes, the conditions that are not met, and folder.
public final class ExperimentText {
    private static final DateTimeFormatter STARTED =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Reports reports;
    private final Terminal terminal;

    public ExperimentText(Reports reports, Terminal terminal) {
        this.reports = reports;
        this.terminal = terminal;
    }

    /// Everything; ends with a line feed.
    public String of(ExperimentRecord experiment) {
        ExperimentManifest manifest = experiment.manifest();
        StringBuilder out = new StringBuilder();
        out.append(terminal.bold(manifest.id())).append("  ").append(status(experiment)).append("\n\n");
        if (!manifest.failure().isEmpty()) {
            out.append(AlignedColumns.paragraph("Failure: " + manifest.failure(), "", terminal.columns())).append('\n');
        }
        out.append(manifest.verdict() == null ? VerdictText.absence(manifest) : "Verdict: "
                + terminal.bold(manifest.verdict().grade().name()) + ". " + VerdictText.meaning(manifest.verdict()))
                .append("\n\n");
        out.append(manifest.cells().isEmpty() ? "No run finished; there are no metrics.\n"
                : reports.summary(experiment, terminal.columns()));
        notes(out, experiment);
        out.append(manifest.verdict() == null ? "" : open(manifest.verdict()));
        out.append(failuresByRun(experiment)).append("\nResult: ").append(PlainText.of(experiment.folder().toString()))
                .append('\n');
        return out.toString();
    }

    private static String status(ExperimentRecord experiment) {
        ExperimentManifest manifest = experiment.manifest();
        String took = manifest.times().duration()
                .map(duration -> ", took " + QuantityText.minutesSeconds(duration.toMillis() / 1e3)).orElse("");
        int planned = manifest.plan().size();
        boolean whole = manifest.status() == RunStatus.COMPLETE && experiment.completeRuns() == planned;
        String runs = whole ? planned + (planned == 1 ? " run" : " runs") : experiment.runsText();
        return manifest.status().id() + ", " + runs + ", "
                + manifest.times().start().map(started -> "started " + STARTED.format(started)).orElse("start unknown")
                + took + (manifest.times().imported() == null ? ""
                        : ", imported " + STARTED.format(manifest.times().imported()));
    }

    private void notes(StringBuilder out, ExperimentRecord experiment) {
        List<String> notes = experiment.allNotes();
        if (!notes.isEmpty()) {
            out.append("\nNotes\n");
            notes.forEach(note -> out.append(AlignedColumns.paragraph(note, "  ", terminal.columns())));
        }
    }

    /// The conditions that are not met, with what to do.
    private String open(Verdict verdict) {
        AlignedColumns open = new AlignedColumns("", "");
        VerdictText.open(verdict).forEach(
                condition -> open.row("  " + VerdictText.label(condition.state()), VerdictText.text(condition)));
        return open.isEmpty() ? "" : "\nConditions that are not met or not checked\n" + open.render(terminal.columns());
    }

    /// The conditions that single runs do not meet, runs with the same words together; the verdict of the experiment only counts these runs.
    private String failuresByRun(ExperimentRecord experiment) {
        Map<String, List<String>> runs = new LinkedHashMap<>();
        for (RunRecord run : experiment.runs()) {
            Optional.ofNullable(run.manifest().outcome().verdict()).stream()
                    .flatMap(verdict -> verdict.conditions().stream())
                    .filter(condition -> condition.state() == Verdict.State.BROKEN)
                    .forEach(condition -> runs.computeIfAbsent(VerdictText.text(condition), words -> new ArrayList<>())
                            .add(run.folderName()));
        }
        StringBuilder failures = new StringBuilder();
        runs.forEach((words, names) -> failures
                .append(AlignedColumns.paragraph(String.join(", ", names) + ": " + words, "  ", terminal.columns())));
        return failures.isEmpty() ? "" : "\nNot met by single runs\n" + failures;
    }
}
