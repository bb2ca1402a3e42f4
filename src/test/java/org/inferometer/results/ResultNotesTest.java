package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultNotesTest {
    @TempDir
    Path folder;

    @Test
    void notesAreReadAsWritten() throws IOException {
        ResultNotes notes = ResultNotes.of(" driver 580 ", true, "h200, nightly h200", " two\nlines \n");
        assertThat(notes)
                .isEqualTo(new ResultNotes(1, "driver 580", true, List.of("h200", "nightly"), List.of("two", "lines")));
        notes.write(folder);
        assertThat(ResultNotes.read(folder)).isEqualTo(notes);
    }

    @Test
    void missingAndDamagedNotesAreNone() throws IOException {
        assertThat(ResultNotes.read(folder)).isEqualTo(ResultNotes.NONE);
        Path file = folder.resolve("notes.json");
        for (String damaged : List.of("", "[1]", "{\"formatVersion\": 9}",
                "{\"formatVersion\": 1, \"tags\": [\"a b\"]}", "x".repeat(300_000))) {
            Files.writeString(file, damaged);
            assertThat(ResultNotes.read(folder)).as(damaged).isEqualTo(ResultNotes.NONE);
        }
    }

    @Test
    void tooLongNotesAreRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> ResultNotes.of("x".repeat(81), false, "", ""))
                .withMessage("A name is one line of at most 80 characters.");
        assertThatIllegalArgumentException().isThrownBy(() -> ResultNotes.of("", false, "y".repeat(31), ""))
                .withMessage("Tags are words: at most 20, each of at most 30 characters.");
        assertThatIllegalArgumentException().isThrownBy(() -> ResultNotes.of("", false, "", "z".repeat(20_001)))
                .withMessage("Notes have at most 20000 characters.");
    }
}
