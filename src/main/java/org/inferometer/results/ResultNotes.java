package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.record.RecordFiles;
import org.inferometer.units.FileFault;
import org.inferometer.units.PlainText;

/// What a person wrote about a result: a name, tags, notes and a star. In a file of its own, so the record never changes.
///
/// @param name in place of the experiment's name; empty for none
/// @param tags without blanks, in the order given
/// @param lines of the notes
public record ResultNotes(int formatVersion, String name, boolean starred, List<String> tags, List<String> lines) {
    /// Nothing was written.
    public static final ResultNotes NONE = new ResultNotes(1, "", false, List.of(), List.of());

    private static final int VERSION = 1;
    private static final int MOST_NAME = 80;
    private static final int MOST_TAGS = 20;
    private static final int MOST_TAG = 30;
    private static final int MOST_TEXT = 20_000;
    private static final int MOST_BYTES = 256 * 1024;

    /// @throws IllegalArgumentException with one sentence if something is too long
    public ResultNotes {
        tags = List.copyOf(tags);
        lines = List.copyOf(lines);
        if (name.length() > MOST_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("A name is one line of at most " + MOST_NAME + " characters.");
        }
        if (tags.size() > MOST_TAGS
                || tags.stream().anyMatch(tag -> tag.isEmpty() || tag.length() > MOST_TAG || !tag.matches("\\S+"))) {
            throw new IllegalArgumentException(
                    "Tags are words: at most " + MOST_TAGS + ", each of at most " + MOST_TAG + " characters.");
        }
        if (lines.stream().mapToInt(line -> line.length() + 1).sum() > MOST_TEXT) {
            throw new IllegalArgumentException("Notes have at most " + MOST_TEXT + " characters.");
        }
    }

    /// Notes as a person writes them.
    ///
    /// @param tags with blanks or commas between
    /// @throws IllegalArgumentException with one sentence if something is too long
    public static ResultNotes of(String name, boolean starred, String tags, String text) {
        return new ResultNotes(VERSION, name.strip(), starred,
                Arrays.stream(tags.split("[\\s,]+")).filter(tag -> !tag.isEmpty()).distinct().toList(),
                text.strip().lines().map(PlainText::of).toList());
    }

    /// The notes of an experiment; none where there are none, or where they cannot be read, which is logged.
    public static ResultNotes read(Path experiment) {
        Path file = experiment.resolve(RecordFiles.NOTES);
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > MOST_BYTES) {
                return NONE;
            }
            return ManifestJson.read(file, ResultNotes.class, VERSION);
        } catch (IOException | IllegalArgumentException e) {
            System.getLogger(ResultNotes.class.getName()).log(System.Logger.Level.WARNING,
                    "The notes of a result cannot be read: {0}",
                    e instanceof IOException fault ? FileFault.describe(file, fault) : file + ": " + e.getMessage());
            return NONE;
        }
    }

    /// The same notes with or without a star.
    public ResultNotes withStar(boolean star) {
        return new ResultNotes(formatVersion, name, star, tags, lines);
    }

    /// The notes, lines ended by line feeds between them.
    public String text() {
        return String.join("\n", lines);
    }

    /// Star, name and tags in one line, "* driver 580 [h200, night]", of plain characters; empty without them.
    public String line() {
        return PlainText
                .of(Stream.of(starred ? "*" : "", name, tags.isEmpty() ? "" : "[" + String.join(", ", tags) + "]")
                        .filter(part -> !part.isEmpty()).collect(Collectors.joining(" ")));
    }

    /// Writes the notes of an experiment, replacing earlier ones.
    ///
    /// @throws IOException if they cannot be written; earlier ones are then as they were
    public void write(Path experiment) throws IOException {
        AtomicFile.write(experiment.resolve(RecordFiles.NOTES), ManifestJson.bytes(this));
    }
}
