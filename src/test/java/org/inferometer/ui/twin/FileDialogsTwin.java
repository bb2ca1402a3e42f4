package org.inferometer.ui.twin;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.ui.fx.FileDialogs;

/// Answers with the suggested or typed name in a folder.
public final class FileDialogsTwin implements FileDialogs {
    private final Path folder;
    private Optional<Path> toOpen = Optional.empty();
    private Optional<String> typed = Optional.empty();

    /// @param folder where everything is saved
    public FileDialogsTwin(Path folder) {
        this.folder = folder;
    }

    /// What the next open dialog answers.
    public void answerOpen(Path path) {
        toOpen = Optional.of(path);
    }

    /// The name that is typed in all save dialogs to come.
    public void typeOnSave(String name) {
        typed = Optional.of(name);
    }

    @Override
    public Optional<Path> save(String title, String suggestedName, List<FileType> types) {
        return Optional
                .of(types.getFirst().complete(folder.resolve(typed.orElse(suggestedName)), suggestedName, types));
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
