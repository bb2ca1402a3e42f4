package org.inferometer.ui.results;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.inferometer.results.bundle.BundleView;
import org.inferometer.results.bundle.SavedLook;
import org.jspecify.annotations.Nullable;

/// What the window shows of results, by folder.
///
/// @param opened the open result; absent without one
/// @param compared the sides of the open comparison, the base first; empty without one
/// @param anyway whether sides are ranked that are not comparable
/// @param timeline what the Timeline shows; absent without one
/// @param look of all of them
public record ShownResults(Optional<Path> opened, List<ComparedPart> compared, boolean anyway,
        Optional<TimelinePart> timeline, SavedLook look) {
    /// A base, a candidate and what is compared besides.
    private static final int MOST_SIDES = 2 + ComparisonViewModel.MOST_MORE;

    /// Nothing is open.
    public static final ShownResults NONE =
            new ShownResults(Optional.empty(), List.of(), false, Optional.empty(), SavedLook.NONE);

    /// A side of a comparison.
    ///
    /// @param part as after # on a command line; empty for the whole result
    public record ComparedPart(Path folder, String part) {}

    /// A range of a run.
    ///
    /// @param run number in execution order, from 0
    /// @param fromNanos since measuring began
    /// @param toNanos since measuring began
    public record TimelinePart(Path folder, int run, long fromNanos, long toNanos) {}

    /// The folders of all results that are open or compared, each once.
    public List<Path> folders() {
        return Stream.concat(compared.stream().map(ComparedPart::folder), opened.stream()).distinct().toList();
    }

    /// What one file holds of it: the comparison, else the result, and a timeline of one of them.
    public ShownResults inOneFile() {
        ShownResults held = new ShownResults(compared.isEmpty() ? opened : Optional.empty(), compared, anyway,
                Optional.empty(), look);
        return new ShownResults(held.opened, compared, anyway,
                timeline.filter(part -> held.folders().contains(part.folder())), look);
    }

    /// The same as a file holds it.
    ///
    /// @param names of the folders
    public BundleView written(Function<Path, String> names) {
        return new BundleView(opened.map(names).orElse(null),
                compared.stream().map(side -> new BundleView.Side(names.apply(side.folder), side.part)).toList(),
                anyway, timeline.map(part -> new BundleView.TimelineSpan(names.apply(part.folder), part.run,
                        part.fromNanos, part.toNanos)).orElse(null),
                look);
    }

    /// What a file holds. Names that are not known are left out.
    ///
    /// @param folders by name
    public static ShownResults of(BundleView view, Function<String, Optional<Path>> folders) {
        List<ComparedPart> sides = view.compared().stream().limit(MOST_SIDES)
                .flatMap(side -> found(side.result(), folders)
                        .map(folder -> new ComparedPart(folder, side.part() == null ? "" : side.part())).stream())
                .toList();
        return new ShownResults(found(view.opened(), folders), sides.size() > 1 ? sides : List.of(), view.anyway(),
                Optional.ofNullable(view.timeline()).filter(ShownResults::isRange)
                        .flatMap(span -> found(span.result(), folders)
                                .map(folder -> new TimelinePart(folder, span.run(), span.fromNanos(), span.toNanos()))),
                view.look());
    }

    /// Whether it has a length that a long holds.
    private static boolean isRange(BundleView.TimelineSpan span) {
        return span.fromNanos() < span.toNanos() && span.toNanos() - span.fromNanos() > 0;
    }

    private static Optional<Path> found(@Nullable String name, Function<String, Optional<Path>> folders) {
        return Optional.ofNullable(name).flatMap(folders).map(folder -> folder.toAbsolutePath().normalize());
    }
}
