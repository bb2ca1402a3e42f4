package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.record.RecordFiles;
import org.inferometer.units.FileName;
import org.inferometer.units.Leftovers;
import org.inferometer.units.OneLine;

/// Accepts folders of others that hold a record and nothing else: no programs, links, pipes or deeper folders.
public final class RecordContents {
    private RecordContents() {}

    /// @throws ResultFormatException in one sentence that names the first other file
    public static void require(Path folder) throws IOException {
        for (Path each : children(folder)) {
            String name = String.valueOf(each.getFileName());
            if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS) && FileName.isPortable(name)) {
                for (Path part : children(each)) {
                    requireFile(part, RecordFiles.isOfRun(String.valueOf(part.getFileName())));
                }
            } else {
                requireFile(each, RecordFiles.isOfExperiment(name) || name.equals(RecordFiles.NOTES));
            }
        }
    }

    /// Killed writers leave files, which do no harm.
    private static void requireFile(Path file, boolean known) throws ResultFormatException {
        String name = String.valueOf(file.getFileName());
        boolean left = name.startsWith(Leftovers.RUNNING) || name.startsWith(Leftovers.WRITING);
        if (!(known || left) || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new ResultFormatException(file.resolveSibling(OneLine.of(name)),
                    "this is no file of a record. Remove it if you do not know it; update if a newer Inferometer wrote it.");
        }
    }

    private static List<Path> children(Path folder) throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.sorted().toList();
        }
    }
}
