package org.inferometer.ui.results;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.inferometer.cli.CliFixture;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.results.SampleRecords;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.ui.twin.DesignedSpecs;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;

/// Takes results through commands, reports, comparisons and view models, and says what came out, by name.
public final class SentenceWalk implements Function<Path, Map<String, String>> {
    private final Map<String, String> seen = new LinkedHashMap<>();

    @Override
    public Map<String, String> apply(Path folder) {
        try {
            commands(folder.resolve("cli"));
            window(folder.resolve("window"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return seen;
    }

    private void commands(Path folder) throws IOException {
        CliFixture cli = new CliFixture(Files.createDirectories(folder));
        for (String id : List.of("before", "after")) {
            SampleRecords.writeExperiment(cli.results().resolve(id), 2);
        }
        for (String command : List.of("results list", "results show latest", "compare before after",
                "compare latest#1 latest#2 --json", "compare latest#2 latest#1 --gate --margin output_throughput=3%",
                "compare latest#1 latest#2 --report ROOT/compare.md", "compare nothing latest",
                "report latest --format txt", "report latest --format html", "report latest --format md",
                "report latest --format json", "run quick --kv-memory lots")) {
            CliFixture.Outcome outcome = cli.run(command.replace("ROOT", folder.toString()).split(" "));
            seen.put(command, outcome.exit() + "\n" + outcome.out() + outcome.err());
        }
        try (var files = Files.walk(folder)) {
            for (Path file : files.filter(each -> each.toString().matches(".*\\.(html|md|txt)")).sorted().toList()) {
                seen.put(folder.relativize(file).toString(), Files.readString(file));
            }
        }
        cli.close();
    }

    private void window(Path folder) {
        LibraryTwin library = new LibraryTwin(folder);
        ComparisonViewModel comparison =
                new ComparisonViewModel(library.tools(), new InlineUi().work(), each -> each.startsWith(folder));
        comparison.open(row(library, "before"), row(library, "after"));
        ComparisonViewModel.ComparisonOutcome outcome = comparison.reading().get();
        seen.put("comparison", outcome.comparison() + "\n" + outcome.gate() + outcome.unjudged());
        outcome.comparison().pairs().forEach(pair -> seen.put("pair " + pair.candidate(),
                PairText.verdict(pair) + "\n" + PairText.notes(pair) + PairText.table(pair)));
        seen.put("warnings", PairText.warnings(outcome.comparison().pairs()).toString());
        ExperimentRecord record = Experiments.paired(folder.resolve("paired"), "paired");
        OpenedExperiment opened = OpenedExperiment.of(ResultRow.Origin.OWN, record, SchedulerRegistry.standard());
        seen.put("opened", opened.findings() + "\n" + opened.tables() + opened.explanations()
                + opened.leading().stream().map(chart -> chart.id() + chart.title() + chart.footer()).toList());
    }

    private static ResultRow row(LibraryTwin library, String id) {
        ExperimentManifest manifest = Experiments.manifest(id, DesignedSpecs.repeated("engines", 3), RunStatus.COMPLETE,
                Verdict.Grade.VALID, Instant.parse("2026-11-20T09:15:00Z"));
        library.add(Experiments.record(library.folder().resolve(id), manifest, List.of()));
        return new ResultRow(ResultRow.Origin.OWN, library.folder().resolve(id), Optional.of(manifest), "");
    }
}
