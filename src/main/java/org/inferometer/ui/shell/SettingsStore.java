package org.inferometer.ui.shell;

import java.util.Optional;

/// Keeps what the window remembers between starts. Losing it is harmless, so nothing here throws.
public interface SettingsStore {
    /// What was kept under a key.
    Optional<String> get(String key);

    /// Keeps a value.
    void put(String key, String value);

    /// Writes everything through, as far as the disk allows.
    void save();
}
