package org.inferometer.ui.selfcheck;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.ui.fx.FileDialogs;

/// Answers every dialog with "Cancel".
final class NoFileDialogs implements FileDialogs {
    @Override
    public Optional<Path> save(String title, String suggestedName, List<FileType> types) {
        return Optional.empty();
    }

    @Override
    public Optional<Path> open(String title, List<FileType> types) {
        return Optional.empty();
    }

    @Override
    public Optional<Path> folder(String title) {
        return Optional.empty();
    }
}
