package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.ResultNotes;
import org.inferometer.units.LetterCase;
import org.inferometer.units.PlainText;

/// One experiment in the list.
///
/// @param problem why it cannot be read; empty otherwise
/// @param notes what a person wrote about it
public record ResultRow(Origin origin, Path folder, Optional<ExperimentManifest> manifest, String problem,
        ResultNotes notes) {
    /// A result without notes.
    public ResultRow(Origin origin, Path folder, Optional<ExperimentManifest> manifest, String problem) {
        this(origin, folder, manifest, problem, ResultNotes.NONE);
    }

    /// Where a result comes from.
    public enum Origin {
        /// A result of this workspace.
        OWN,
        /// A result that came with the program.
        SAMPLE,
        /// A result in another folder. It is read where it is.
        ELSEWHERE;

        /// Key of the tag that names it among the messages; empty for one of the workspace.
        Optional<String> place() {
            return switch (this) {
                case OWN -> Optional.empty();
                case SAMPLE -> Optional.of("results.sample");
                case ELSEWHERE -> Optional.of("results.elsewhere");
            };
        }
    }

    /// Reads a library's entry.
    public static ResultRow of(Origin origin, ResultLibrary.Entry entry) {
        return new ResultRow(origin, entry.folder(), entry.manifest(), entry.problem(),
                ResultNotes.read(entry.folder()));
    }

    /// The name that a person gave, else that of the experiment, or of its folder.
    public String name() {
        return !notes.name().isEmpty() ? notes.name() : manifest.map(ExperimentManifest::name)
                .orElseGet(() -> PlainText.of(String.valueOf(folder.getFileName())));
    }

    /// Start time; [Instant#MIN] when unknown.
    public Instant started() {
        return manifest.flatMap(manifest -> manifest.times().start()).orElse(Instant.MIN);
    }

    /// Time of creation or import; [Instant#MIN] when unknown.
    public Instant added() {
        return manifest.map(manifest -> manifest.times().added()).orElse(Instant.MIN);
    }

    /// "tiny-fp8, tiny-int4".
    public String engines() {
        return manifest.map(known -> known.spec().subjects().stream().flatMap(subject -> subject.model().stream())
                .distinct().collect(Collectors.joining(", "))).orElse("");
    }

    /// Planned requests of all runs; 0 for those that end by time.
    long requests() {
        return manifest.stream().flatMap(known -> known.plan().stream()).mapToLong(run -> run.workload().requests())
                .sum();
    }

    /// "naive, continuous".
    public String schedulers() {
        return manifest.map(known -> String.join(", ", known.spec().systems())).orElse("");
    }

    /// Number of cells.
    public int cells() {
        return manifest.map(known -> known.spec().cells().size()).orElse(0);
    }

    /// Planned runs.
    public int runs() {
        return manifest.map(known -> known.plan().size()).orElse(0);
    }

    int completeRuns() {
        return manifest.stream().flatMap(known -> known.cells().stream()).mapToInt(cell -> cell.runs()).sum();
    }

    /// Output throughput of the best cell.
    public OptionalDouble bestTokensPerSecond() {
        return manifest.stream().flatMap(known -> known.cells().stream())
                .flatMap(cell -> HeadlineFigures.of(cell, HeadlineFigures.OUTPUT_THROUGHPUT).stream())
                .mapToDouble(CellFigure::mean).max();
    }

    /// Status; empty when it cannot be read.
    public Optional<RunStatus> status() {
        return manifest.map(ExperimentManifest::status);
    }

    /// Whether it was imported from another tool.
    public boolean imported() {
        return manifest.filter(ResultRow::imported).isPresent();
    }

    static boolean imported(ExperimentManifest manifest) {
        return manifest.times().imported() != null;
    }

    /// Grade of its verdict.
    public Optional<Verdict.Grade> grade() {
        return manifest.map(ExperimentManifest::verdict).map(Verdict::grade);
    }

    /// Whether it contains every word of a search.
    public boolean matches(String search) {
        String all =
                LetterCase.lower(String.join(" ", name(), String.valueOf(folder.getFileName()), engines(), schedulers(),
                        manifest.map(known -> known.spec().workloads().stream().map(load -> load.name())
                                .collect(Collectors.joining(" "))).orElse(""),
                        status().map(RunStatus::id).orElse(text("status.damaged")),
                        grade().map(Verdict.Grade::name).orElse(""), problem, String.join(" ", notes.tags()),
                        notes.text(), manifest.map(ExperimentManifest::name).orElse("")));
        return LetterCase.lower(search.strip()).lines().flatMap(line -> Arrays.stream(line.split("\\s+")))
                .allMatch(all::contains);
    }
}
