package org.inferometer.ui.fx;

import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;

/// Puts text on the system's clipboard. Used on the JavaFX thread.
public final class TextClipboard {
    private TextClipboard() {}

    /// Replaces what the clipboard holds.
    public static void copy(String text) {
        ClipboardContent content = new ClipboardContent();
        content.putString(text);
        Clipboard.getSystemClipboard().setContent(content);
    }
}
