package org.inferometer.cli;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.inferometer.benchmark.ExperimentRecord;
import org.inferometer.results.ResultLibrary;
import org.jspecify.annotations.Nullable;

/// Folders of experiments on this machine.
public final class LibraryShelf implements ResultServices.Shelf {
    @Override
    public List<ResultLibrary.Entry> list(Path folder) {
        return new ResultLibrary(folder).list();
    }

    @Override
    public ExperimentRecord open(Path folder, Path experiment) throws IOException {
        return new ResultLibrary(folder).open(experiment);
    }

    /// Links inside the folder are removed, never followed.
    @Override
    public void delete(Path experiment) throws IOException {
        Files.walkFileTree(experiment, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException fault) throws IOException {
                if (fault != null) {
                    throw fault;
                }
                Files.delete(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
