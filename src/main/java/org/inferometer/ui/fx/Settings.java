package org.inferometer.ui.fx;

import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Collectors;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.collections.FXCollections;
import javafx.collections.ListChangeListener;
import javafx.collections.ObservableList;
import org.inferometer.results.AtomicFile;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.Leftovers;
import org.jspecify.annotations.Nullable;

/// Settings in a properties file. An unreadable file counts as empty and is kept aside. Thread-safe.
public final class Settings {
    private static final System.Logger LOG = System.getLogger(Settings.class.getName());
    private static final long LARGEST_BYTES = 64 * 1024;
    private final Path file;
    private final Properties values = new Properties();
    private @Nullable Path damaged;

    /// Reads the file if it exists.
    public Settings(Path file) {
        this.file = file;
        try {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                load();
            }
        } catch (IOException | IllegalArgumentException e) {
            LOG.log(System.Logger.Level.INFO, "Settings could not be read; the defaults are used: " + file, e);
            values.clear();
            damaged = setAside();
        }
    }

    private void load() throws IOException {
        if (!Files.isRegularFile(file) || Files.size(file) > LARGEST_BYTES) {
            throw new IOException("It is no regular file, or longer than " + LARGEST_BYTES + " bytes.");
        }
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            values.load(reader);
        }
    }

    private @Nullable Path setAside() {
        try {
            return AtomicFile.keepAside(file);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.INFO, "Settings could not be moved: " + file, e);
            return file;
        }
    }

    /// Where a file is kept that could not be read; empty if it could.
    public Optional<Path> damaged() {
        return Optional.ofNullable(damaged);
    }

    /// The user's settings file, in the standard place of the operating system.
    public static Path standardFile(EnvironmentVariables environment) {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        Path home = Path.of(System.getProperty("user.home", "."));
        if (system.contains("win")) {
            return environment.value("APPDATA").map(Path::of).orElse(home).resolve("Inferometer/settings.properties");
        }
        if (system.contains("mac")) {
            return home.resolve("Library/Application Support/Inferometer/settings.properties");
        }
        return environment.value("XDG_CONFIG_HOME").filter(text -> !text.isBlank()).map(Path::of)
                .orElse(home.resolve(".config")).resolve("inferometer/settings.properties");
    }

    public Path file() {
        return file;
    }

    /// Deletes what killed processes left beside the file; a failure is logged.
    public void removeLeftovers() {
        try {
            for (Path leftover : Leftovers.search(file.toAbsolutePath().resolveSibling(""), 0).paths()) {
                Leftovers.delete(leftover);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.INFO, "Leftovers beside the settings were not deleted: " + file, e);
        }
    }

    /// Forgets everything; the file is emptied by the next [#save].
    public synchronized void clear() {
        values.clear();
    }

    /// The value of a key.
    public synchronized Optional<String> get(String key) {
        return Optional.ofNullable(values.getProperty(key));
    }

    /// Sets a value; [#save] writes it.
    public synchronized void put(String key, String value) {
        values.setProperty(key, value);
    }

    /// A list that is kept, a line for each entry. A change is saved at once. Belongs to the UI thread.
    ///
    /// @param read throws [IllegalArgumentException] for a line of another version, which is left out
    public <E> ObservableList<E> list(String key, Function<String, E> read, Function<E, String> write) {
        ObservableList<E> list = FXCollections.observableArrayList();
        get(key).stream().flatMap(String::lines).filter(line -> !line.isBlank()).forEach(line -> {
            try {
                list.add(read.apply(line));
            } catch (IllegalArgumentException e) {
                LOG.log(System.Logger.Level.INFO, "A line of the settings is left out: " + line, e);
            }
        });
        list.addListener((ListChangeListener<E>) change -> {
            put(key, list.stream().map(write).collect(Collectors.joining("\n")));
            save();
        });
        return list;
    }

    /// A value that is kept.
    ///
    /// @param read gets an empty text where none was kept
    public <T> ObjectProperty<T> property(String key, Function<String, T> read, Function<T, String> write) {
        ObjectProperty<T> property = new SimpleObjectProperty<>(read.apply(get(key).orElse("")));
        property.addListener((observed, before, now) -> put(key, write.apply(now)));
        return property;
    }

    /// Writes the file; a failure is logged.
    public synchronized void save() {
        try (StringWriter text = new StringWriter()) {
            values.store(text, null);
            AtomicFile.write(file, text.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            LOG.log(System.Logger.Level.INFO, "Settings could not be saved: " + file, e);
        }
    }
}
