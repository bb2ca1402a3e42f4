package org.inferometer.ui.twin;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.ui.fx.FileDialogs;

/// Answers with the suggested name in a folder.
public final class FileDialogsTwin implements FileDialogs {
    private final Path folder;
    private Optional<Path> toOpen = Optional.empty();

    /// @param folder where everything is saved
    public FileDialogsTwin(Path folder) {
        this.folder = folder;
    }

    /// What the next open dialog answers.
    public void answerOpen(Path path) {
        toOpen = Optional.of(path);
    }

    @Override
    public Optional<Path> save(String title, String suggestedName, List<FileType> types) {
        return Optional.of(folder.resolve(suggestedName));
    }

    @Override
    public Optional<Path> folder(String title) {
        return Optional.of(folder.resolve("export"));
    }

    @Override
    public Optional<Path> open(String title, List<FileType> types) {
        return toOpen;
    }
}
