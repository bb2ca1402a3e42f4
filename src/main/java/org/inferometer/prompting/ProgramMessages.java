package org.inferometer.prompting;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.units.OneLine;

/// What a process of this program says on standard error, in a temporary file.
public record ProgramMessages(Path file) {
    /// An empty file.
    ///
    /// @param work for its name: "prompt"
    public static ProgramMessages of(String work) throws IOException {
        return new ProgramMessages(Files.createTempFile("inferometer-" + work + "-", ".log"));
    }

    /// The last line without an "error: "; empty without any. Warnings of the Java runtime do not count.
    public String last() throws IOException {
        List<String> said = Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("WARNING: ")).toList();
        return said.isEmpty() ? "" : OneLine.of(said.getLast()).replaceFirst("^error: ", "");
    }

    /// Removes the file.
    public void delete() throws IOException {
        Files.deleteIfExists(file);
    }
}
