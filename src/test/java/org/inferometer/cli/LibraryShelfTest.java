package org.inferometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.results.ResultLibrary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibraryShelfTest {
    @Test
    void deletingAResultLeavesWhatItsLinksPointTo(@TempDir Path folder) throws IOException {
        Path outside = Files.createDirectories(folder.resolve("outside"));
        Files.writeString(outside.resolve("kept.txt"), "kept");
        Path result = Files.createDirectories(folder.resolve("results").resolve("one").resolve("run-0"));
        Files.writeString(result.resolve("run.json"), "{}");
        Files.createSymbolicLink(result.resolve("link"), outside);
        new LibraryShelf().delete(new ResultLibrary.Entry(result.getParent(), Optional.empty(), ""));
        assertThat(result.getParent()).doesNotExist();
        assertThat(outside.resolve("kept.txt")).hasContent("kept");
    }
}
