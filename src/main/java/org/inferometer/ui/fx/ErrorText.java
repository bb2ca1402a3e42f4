package org.inferometer.ui.fx;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.units.FileFault;
import org.inferometer.wording.Voice;
import org.jspecify.annotations.Nullable;

/// Turns an exception into one sentence for users.
public final class ErrorText {
    private ErrorText() {}

    /// What failed, never a class name alone.
    public static String sentence(Throwable failure) {
        return switch (failure) {
            case AccessDeniedException denied -> Messages.text("failure.denied", denied.getFile());
            case NoSuchFileException missing -> Messages.text("failure.missing", missing.getFile());
            case FileSystemException file -> FileFault.sentence(file);
            case EngineFormatException engine -> engine.fault().in(Voice.WINDOW);
            case OutOfMemoryError ignored -> Messages.text("failure.memory");
            default -> {
                @Nullable String message = failure.getMessage();
                yield message == null || message.isBlank()
                        ? Messages.text("failure.unnamed", failure.getClass().getSimpleName()) : message;
            }
        };
    }
}
