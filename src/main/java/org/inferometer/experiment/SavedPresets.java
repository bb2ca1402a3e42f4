package org.inferometer.experiment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.units.HeldFile;
import org.inferometer.units.Leftovers;

/// The presets that people saved: a YAML file each, in the folder `presets` of the workspace.
///
/// Threads may share it; a file is replaced as a whole.
///
/// @param folder may not exist yet
public record SavedPresets(Path folder) {
    private static final String ENDING = ".yaml";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,59}");
    private static final int MOST = 500;
    private static final long MOST_BYTES = 1 << 20;

    /// The names, sorted; empty while there is no folder.
    ///
    /// @throws IOException if the folder cannot be read
    public List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.limit(MOST).filter(Files::isRegularFile).map(file -> String.valueOf(file.getFileName()))
                    .filter(file -> file.endsWith(ENDING))
                    .map(file -> file.substring(0, file.length() - ENDING.length()))
                    .filter(name -> NAME.matcher(name).matches()).sorted().toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /// The file of a preset, which may not exist.
    ///
    /// @throws IllegalArgumentException with one sentence if the name is not usable or belongs to a built-in preset
    public Path file(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "A preset's name has 1 to 60 letters, digits, dots, dashes and underscores, as in nightly-fp8.");
        }
        if (new Presets().all().stream().anyMatch(preset -> preset.spec().name().equals(name))) {
            throw new IllegalArgumentException(name + " is a preset of the program. Choose another name.");
        }
        return folder.resolve(name + ENDING);
    }

    /// Saves an experiment under a name; replaces the preset of that name.
    ///
    /// @return the file
    /// @throws IllegalArgumentException as [#file]
    /// @throws IOException if it cannot be written; the earlier preset is then as it was
    public Path save(String name, ExperimentSpec spec) throws IOException {
        Path file = file(name);
        write(file, SpecWriter.text(spec.named(name)).getBytes(StandardCharsets.UTF_8));
        return file;
    }

    private void write(Path file, byte[] content) throws IOException {
        try (HeldFile unfinished = HeldFile.hold(folder, Leftovers.WRITING, "-" + UUID.randomUUID() + ".tmp")) {
            unfinished.write(content);
            unfinished.moveTo(file);
        }
    }

    /// A deleted preset.
    ///
    /// @param content of its file
    public record Deleted(String name, byte[] content) {}

    /// Deletes a preset so that it can be restored.
    ///
    /// @throws IOException if it cannot be read and deleted; it is then as it was
    public Deleted take(String name) throws IOException {
        Path file = file(name);
        if (Files.size(file) > MOST_BYTES) {
            throw new IOException(file + " is longer than " + (MOST_BYTES >> 10) + " KiB. Delete the file itself.");
        }
        byte[] content = Files.readAllBytes(file);
        Files.delete(file);
        return new Deleted(name, content);
    }

    /// Writes a deleted preset again.
    ///
    /// @throws IOException if there is another one of its name by now, or if it cannot be written
    public void restore(Deleted preset) throws IOException {
        Path file = file(preset.name);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("There is another preset " + preset.name + " by now.");
        }
        write(file, preset.content);
    }

    /// Deletes a preset, if it exists.
    ///
    /// @throws IOException if it cannot be deleted
    public void delete(String name) throws IOException {
        Files.deleteIfExists(file(name));
    }
}
