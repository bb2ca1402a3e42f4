package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.bundle.BundleManifest;
import org.inferometer.results.bundle.BundleReader;
import org.inferometer.results.bundle.BundleView;
import org.inferometer.results.bundle.BundleView.TimelineSpan;
import org.inferometer.results.bundle.BundleWriter;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// Saves what the desktop shows as a bundle, and shows bundles as they were saved. Belongs to the UI thread.
public final class ResultBundles {
    private final ResultTools tools;
    private final ResultsViewModel results;
    private final ComparisonViewModel comparison;
    private final BackgroundWork work;
    private final Notifier notifier;
    private final Clock clock;

    public ResultBundles(ResultTools tools, ResultsViewModel results, ComparisonViewModel comparison,
            BackgroundWork work, Notifier notifier, Clock clock) {
        this.tools = tools;
        this.results = results;
        this.comparison = comparison;
        this.work = work;
        this.notifier = notifier;
        this.clock = clock;
    }

    /// What is shown, by folder.
    ///
    /// @param opened the open result; absent without one
    /// @param compared the sides of a comparison, the base first; empty without one
    /// @param timeline the range that the timeline shows; absent without one, or if its result is not among the others
    public record Shown(Optional<Path> opened, List<ComparisonViewModel.Side> compared, boolean anyway,
            Optional<Span> timeline) {
        /// @param run number in execution order, from 0
        public record Span(Path result, int run, long fromNanos, long toNanos) {}

        /// The folders of all results, each once.
        public List<Path> folders() {
            List<Path> folders = new ArrayList<>(compared.stream().map(side -> side.row().folder()).toList());
            opened.ifPresent(folders::add);
            return folders.stream().distinct().toList();
        }
    }

    /// How a bundle is written.
    ///
    /// @param safe without host, user, paths, prompts and answers
    public record Wish(boolean safe, String notes) {
        /// Share-safe, without notes.
        public static final Wish USUAL = new Wish(true, "");
    }

    /// The open comparison, else the open result.
    ///
    /// @param timeline what the timeline shows
    public Shown shown(Optional<Shown.Span> timeline) {
        List<ComparisonViewModel.Side> compared = comparison.shown();
        OpenedExperiment opened = results.opened().get();
        Optional<Path> open =
                Optional.ofNullable(compared.isEmpty() && opened != null ? opened.record().folder() : null);
        Shown all = new Shown(open, compared, comparison.anyway().get(), timeline);
        return timeline.isPresent() && !all.folders().contains(timeline.get().result())
                ? new Shown(open, compared, all.anyway(), Optional.empty()) : all;
    }

    /// Writes a bundle in the background; says what was removed.
    public void save(Shown shown, Wish wish, Path file) {
        work.run(WindowWork.BUNDLE, () -> write(shown, wish, file),
                written -> notifier.done(written.removed().isEmpty() ? text("bundle.saved", file.getFileName())
                        : text("bundle.saved-without", file.getFileName(), String.join(", ", written.removed()))),
                failure -> notifier.problem(text("notice.not-saved", file, ErrorText.sentence(failure))));
    }

    private BundleManifest write(Shown shown, Wish wish, Path file) throws IOException {
        List<ExperimentRecord> records = new ArrayList<>();
        for (Path folder : shown.folders()) {
            records.add(tools.open(folder));
        }
        BundleWriter writer =
                new BundleWriter(tools.version(), wish.safe() ? Optional.of(tools.safe()) : Optional.empty());
        List<String> names = writer.folders(shown.folders());
        Map<Path, String> byFolder = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            byFolder.put(shown.folders().get(i), names.get(i));
        }
        @Nullable TimelineSpan timeline =
                shown.timeline().map(span -> new TimelineSpan(Objects.requireNonNull(byFolder.get(span.result())),
                        span.run(), span.fromNanos(), span.toNanos())).orElse(null);
        BundleView view = new BundleView(shown.opened().map(byFolder::get).orElse(null), shown.compared().stream().map(
                side -> new BundleView.Side(Objects.requireNonNull(byFolder.get(side.row().folder())), side.part()))
                .toList(), shown.anyway(), timeline);
        return writer.write(new BundleWriter.Contents(records, view, wish.notes(),
                tools.reports().bytes(records, ReportFormat.HTML)), clock.wall(), file);
    }

    /// Shows an unpacked bundle as it was saved; names that it does not hold are ignored.
    ///
    /// @return the range of the timeline, if one was saved
    public Optional<Shown.Span> show(BundleReader.Unpacked bundle) {
        BundleView view = bundle.manifest().view();
        List<ComparisonViewModel.Side> sides = new ArrayList<>();
        for (BundleView.Side side : view.compared()) {
            Optional.ofNullable(bundle.folders().get(side.result())).flatMap(this::row)
                    .ifPresent(row -> sides.add(new ComparisonViewModel.Side(row, side.part())));
        }
        if (sides.size() > 1) {
            comparison.open(sides, view.anyway());
        } else {
            comparison.close();
            results.open(Optional.ofNullable(view.opened()).map(bundle.folders()::get)
                    .orElseGet(() -> bundle.folders().values().iterator().next()));
        }
        int known = bundle.known().size();
        if (known == bundle.folders().size()) {
            notifier.done(counted("bundle.known", known));
        } else if (bundle.manifest().notes().isEmpty()) {
            notifier.done(text("bundle.opened", bundle.folders().size()));
        }
        if (!bundle.manifest().notes().isEmpty()) {
            notifier.done(text("bundle.notes", bundle.manifest().notes()));
        }
        return Optional.ofNullable(view.timeline()).filter(span -> span.fromNanos() < span.toNanos())
                .flatMap(span -> Optional.ofNullable(bundle.folders().get(span.result()))
                        .map(folder -> new Shown.Span(folder, span.run(), span.fromNanos(), span.toNanos())));
    }

    private Optional<ResultRow> row(Path folder) {
        try {
            return Optional.of(ResultRow.of(tools.origin(folder),
                    new ResultLibrary.Entry(folder, Optional.of(ResultLibrary.manifest(folder)), "")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
