package org.inferometer.engine;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.inferometer.engine.files.SideFile;

/// How a trained model wants a conversation written, as its checkpoint tells.
///
/// @param template Jinja, as published with the model; not checked
/// @param beginToken text of the token that begins a sequence; empty if there is none
/// @param endToken text of the token that ends one; empty if there is none
public record ChatFormat(@JsonProperty("template") String template, @JsonProperty("begin_token") String beginToken,
        @JsonProperty("end_token") String endToken) {
    /// `chat.json` in an engine's folder; absent if its checkpoint had none.
    public static final SideFile<ChatFormat> FILE = new SideFile<>("chat.json", ChatFormat.class, "chat format",
            (8L * ChatFormat.MOST_CHARACTERS) >> 10, "Build the engine again.");

    /// Longer templates are refused.
    public static final int MOST_CHARACTERS = 1 << 20;
}
