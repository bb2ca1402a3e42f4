package org.inferometer.engine;

import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.SideFile;

/// `chat.json` in an engine's folder: how its model wants a conversation written.
public final class ChatFile {
    public static final String FILE = "chat.json";
    private static final SideFile<ChatFormat> SIDE = new SideFile<>(FILE, ChatFormat.class, "chat format",
            (8L * ChatFormat.MOST_CHARACTERS) >> 10, "Build the engine again.");

    private ChatFile() {}

    /// The chat format of an engine; empty if its checkpoint had none.
    ///
    /// @throws EngineFormatException if the file is broken
    public static Optional<ChatFormat> read(Path folder) throws EngineFormatException {
        return SIDE.read(folder);
    }

    /// The file's content.
    public static byte[] bytes(ChatFormat format) {
        return SideFile.bytes(format);
    }
}
