package org.inferometer.ui.shell;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Properties;

/// Settings in a small text file, replaced as a whole when saved. A file that cannot be read counts as empty.
public final class SettingsFile implements SettingsStore {
    private static final System.Logger LOG = System.getLogger(SettingsFile.class.getName());
    private static final long LARGEST_BYTES = 64 * 1024;
    private final Path file;
    private final Properties values = new Properties();

    /// Reads the file, when there is one.
    public SettingsFile(Path file) {
        this.file = file;
        try {
            if (Files.isRegularFile(file) && Files.size(file) <= LARGEST_BYTES) {
                try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                    values.load(reader);
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            LOG.log(System.Logger.Level.INFO, "Settings could not be read; the defaults are used: " + file, e);
        }
    }

    @Override
    public synchronized Optional<String> get(String key) {
        return Optional.ofNullable(values.getProperty(key));
    }

    @Override
    public synchronized void put(String key, String value) {
        values.setProperty(key, value);
    }

    @Override
    public synchronized void save() {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Path aside = file.resolveSibling(file.getFileName() + ".new");
            try (Writer writer = Files.newBufferedWriter(aside, StandardCharsets.UTF_8)) {
                values.store(writer, null);
            }
            Files.move(aside, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.INFO, "Settings could not be saved: " + file, e);
        }
    }
}
