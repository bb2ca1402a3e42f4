package org.inferometer.cli;

import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.report.AlignedColumns;
import org.inferometer.report.document.Reports;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// An experiment as text: tables and findings, the notes of its reader, the verdict with what does not hold, and where it lies.
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
        out.append(terminal.strong(manifest.id())).append("  ").append(standing(experiment)).append("\n\n");
        if (!manifest.failure().isEmpty()) {
            out.append(AlignedColumns.paragraph("Failure: " + manifest.failure(), "", terminal.columns())).append('\n');
        }
        out.append(manifest.cells().isEmpty() ? "No run ended, so there are no figures.\n"
                : reports.summary(experiment, terminal.columns()));
        notes(out, experiment);
        out.append('\n')
                .append(manifest.verdict() == null ? Reports.notJudged(manifest) + "\n" : verdict(manifest.verdict()));
        brokenOfRuns(out, experiment);
        out.append("\nResult: ").append(experiment.folder()).append('\n');
        return out.toString();
    }

    private static String standing(ExperimentRecord experiment) {
        ExperimentManifest manifest = experiment.manifest();
        long ended = experiment.runs().stream().filter(run -> run.manifest().status() == RunStatus.COMPLETE).count();
        String took = manifest.endedWall() == null ? "" : ", took " + QuantityText
                .minutesSeconds(Duration.between(manifest.startedWall(), manifest.endedWall()).toMillis() / 1e3);
        return manifest.status().word() + ", " + ended + " of " + manifest.plan().size() + " runs complete, "
                + manifest.started().map(started -> "started " + STARTED.format(started)).orElse("start not known")
                + took
                + (manifest.importedWall() == null ? "" : ", imported " + STARTED.format(manifest.importedWall()));
    }

    private void notes(StringBuilder out, ExperimentRecord experiment) {
        List<String> notes = new ArrayList<>(experiment.notes());
        experiment.runs().forEach(run -> run.notes().forEach(note -> notes.add(run.folderName() + ": " + note)));
        if (!notes.isEmpty()) {
            out.append("\nNotes\n");
            notes.forEach(note -> out.append(AlignedColumns.paragraph(note, "  ", terminal.columns())));
        }
    }

    /// The grade, and each condition that is not met with what to do.
    String verdict(@Nullable Verdict verdict) {
        if (verdict == null) {
            return "Verdict: none, since the experiment has not ended or was measured by another tool.\n";
        }
        String meaning = switch (verdict.grade()) {
            case VALID -> "every condition that was checked holds.";
            case INVALID -> "do not rely on these figures.";
            case PREVIEW -> "too little was run for a verdict.";
        };
        AlignedColumns open = new AlignedColumns("", "");
        for (Verdict.Condition condition : verdict.conditions()) {
            if (condition.state() != Verdict.State.MET) {
                open.row("  " + word(condition.state()), sentence(condition));
            }
        }
        long met = verdict.conditions().stream().filter(condition -> condition.state() == Verdict.State.MET).count();
        return "Verdict: " + terminal.strong(verdict.grade().name()) + ", " + meaning + " " + met + " of "
                + verdict.conditions().size() + " conditions met.\n"
                + (open.isEmpty() ? "" : open.render(terminal.columns()));
    }

    /// What the experiment's verdict only sums up: which run broke which condition.
    private void brokenOfRuns(StringBuilder out, ExperimentRecord experiment) {
        AlignedColumns broken = new AlignedColumns("", "");
        for (RunRecord run : experiment.runs()) {
            Verdict verdict = run.manifest().verdict();
            List<Verdict.Condition> conditions = verdict == null ? List.of() : verdict.conditions();
            for (Verdict.Condition condition : conditions) {
                if (condition.state() == Verdict.State.BROKEN) {
                    broken.row("  " + run.folderName(), sentence(condition));
                }
            }
        }
        if (!broken.isEmpty()) {
            out.append("\nBroken in single runs\n").append(broken.render(terminal.columns()));
        }
    }

    private static String sentence(Verdict.Condition condition) {
        String observed = condition.observed().isEmpty() ? "" : ": " + condition.observed();
        String remedy = condition.remedy().isEmpty() ? "" : ". " + condition.remedy();
        return condition.name() + observed + remedy;
    }

    private static String word(Verdict.State state) {
        return switch (state) {
            case MET -> "met";
            case BROKEN -> "broken";
            case TOO_LITTLE -> "too little";
            case WARNING -> "warning";
            case NOT_CHECKED -> "not checked";
        };
    }
}
