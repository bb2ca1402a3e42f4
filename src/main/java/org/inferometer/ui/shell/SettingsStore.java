package org.inferometer.ui.shell;

import org.inferometer.ui.fx.Remembered;

/// Keeps what the window remembers between starts.
public interface SettingsStore extends Remembered {
    /// Writes everything through, as far as the disk allows.
    void save();
}
