package org.inferometer.ui.fx;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javafx.stage.DirectoryChooser;
import javafx.stage.FileChooser;
import javafx.stage.Window;
import org.jspecify.annotations.Nullable;

/// The file dialogs of the system. Used on the JavaFX thread.
public final class NativeFileDialogs implements FileDialogs {
    private final Supplier<@Nullable Window> owner;
    private @Nullable Path lastFolder;

    /// @param owner window of the dialogs
    public NativeFileDialogs(Supplier<@Nullable Window> owner) {
        this.owner = owner;
    }

    @Override
    public Optional<Path> save(String title, String suggestedName, List<FileType> types) {
        FileChooser chooser = chooser(title, types);
        chooser.setInitialFileName(suggestedName);
        while (true) {
            File typed = chooser.showSaveDialog(owner.get());
            if (typed == null) {
                return Optional.empty();
            }
            lastFolder = typed.toPath().getParent();
            Path whole = chosen(chooser, types).complete(typed.toPath(), suggestedName, types);
            if (whole.equals(typed.toPath()) || !Files.exists(whole)) {
                return Optional.of(whole);
            }
            // The system checked the name without its ending; ask again with the full name.
            chooser.setInitialFileName(String.valueOf(whole.getFileName()));
            if (lastFolder != null) {
                chooser.setInitialDirectory(lastFolder.toFile());
            }
        }
    }

    private static FileType chosen(FileChooser chooser, List<FileType> types) {
        int index = chooser.getExtensionFilters().indexOf(chooser.getSelectedExtensionFilter());
        return types.get(Math.max(0, index));
    }

    @Override
    public Optional<Path> open(String title, List<FileType> types) {
        return remembered(chooser(title, types).showOpenDialog(owner.get()));
    }

    @Override
    public Optional<Path> folder(String title) {
        DirectoryChooser chooser = new DirectoryChooser();
        chooser.setTitle(title);
        chooser.setInitialDirectory(initialFolder());
        File chosen = chooser.showDialog(owner.get());
        if (chosen == null) {
            return Optional.empty();
        }
        lastFolder = chosen.toPath();
        return Optional.of(chosen.toPath());
    }

    private @Nullable File initialFolder() {
        return lastFolder != null && Files.isDirectory(lastFolder) ? lastFolder.toFile() : null;
    }

    private FileChooser chooser(String title, List<FileType> types) {
        FileChooser chooser = new FileChooser();
        chooser.setTitle(title);
        chooser.setInitialDirectory(initialFolder());
        types.forEach(type -> chooser.getExtensionFilters()
                .add(new FileChooser.ExtensionFilter(type.name(), type.pattern().split(";"))));
        return chooser;
    }

    private Optional<Path> remembered(@Nullable File chosen) {
        if (chosen == null) {
            return Optional.empty();
        }
        Path path = chosen.toPath();
        lastFolder = path.getParent();
        return Optional.of(path);
    }
}
