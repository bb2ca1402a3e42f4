package org.inferometer.ui.twin;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.inferometer.ui.shell.SettingsStore;

/// Settings in memory.
public final class SettingsTwin implements SettingsStore {
    private final Map<String, String> values = new HashMap<>();
    private int saves;

    /// How often they were saved.
    public int saves() {
        return saves;
    }

    @Override
    public Optional<String> get(String key) {
        return Optional.ofNullable(values.get(key));
    }

    @Override
    public void put(String key, String value) {
        values.put(key, value);
    }

    @Override
    public void save() {
        saves++;
    }
}
