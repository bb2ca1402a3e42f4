package org.inferometer.ui.results;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.run.Workspace;

/// Where a new result belongs: the folder of the own shelf. Reads the shelves, so it is asked in the background.
final class ResultFolder {
    private ResultFolder() {}

    /// The folder that was named with the own shelf; else the one that its experiments lie in; else the one beside the samples; empty where
    /// nothing says.
    static Optional<Path> of(List<ResultShelf> shelves) {
        return on(shelves, ResultShelf.Kind.OWN)
                .or(() -> on(shelves, ResultShelf.Kind.SAMPLE)
                        .flatMap(samples -> Optional.ofNullable(samples.getParent()).map(Workspace::new)
                                .filter(workspace -> workspace.sampleResults().equals(samples)))
                        .map(Workspace::results));
    }

    private static Optional<Path> on(List<ResultShelf> shelves, ResultShelf.Kind kind) {
        return shelves.stream().filter(shelf -> shelf.kind() == kind).findFirst()
                .flatMap(shelf -> shelf.folder()
                        .or(() -> shelf.entries().get().stream().filter(entry -> entry.manifest().isPresent())
                                .findFirst().flatMap(entry -> Optional.ofNullable(entry.folder().getParent()))));
    }
}
