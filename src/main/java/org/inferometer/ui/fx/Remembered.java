package org.inferometer.ui.fx;

import java.util.Optional;

/// What the window keeps between starts, under names. Losing it is harmless, so nothing here throws.
public interface Remembered {
    /// What was kept under a key.
    Optional<String> get(String key);

    /// Keeps a value.
    void put(String key, String value);
}
