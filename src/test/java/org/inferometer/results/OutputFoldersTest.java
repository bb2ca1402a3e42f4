package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.inferometer.results.OutputFolders.Interrupted;
import org.inferometer.units.HeldFile;
import org.inferometer.units.Leftovers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class OutputFoldersTest {
    /// As process 1 of another start of the machine would name its files.
    private static final String DEAD = ".writing-1-1700000000000-01234567-0123-0123-0123-";

    @TempDir
    Path folder;

    private OutputFolders outputs;

    @BeforeEach
    void workspace() throws IOException {
        outputs = OutputFolders.of(Files.createDirectory(folder.resolve("workspace")));
    }

    /// A note as a killed process leaves it.
    private Path killed(Path output) throws IOException {
        String text;
        try (HeldFile note = outputs.note(output)) {
            assertThat(note.isInPlace()).isTrue();
            text = Files.readString(notes().getFirst());
        }
        return Files.writeString(outputs.folder().resolve(DEAD + twelve(notes().size())), text);
    }

    private static String twelve(int number) {
        return String.format(Locale.ROOT, "%012d", number);
    }

    private List<Path> notes() throws IOException {
        try (var all = Files.list(outputs.folder())) {
            return all.sorted().toList();
        }
    }

    @Test
    void noteIsGoneWhenTheOutputIsWritten() throws IOException {
        try (HeldFile note = outputs.note(folder.resolve("out"))) {
            assertThat(note.isInPlace()).isTrue();
            assertThat(outputs.interrupted()).as("of a living process").isEmpty();
        }
        assertThat(notes()).isEmpty();
    }

    @Test
    void noteOfAKilledProcessLeadsToWhatItLeft() throws IOException {
        Path output = folder.resolve("ein Ordner\nmit Umbruch/späte Läufe");
        Path inside = Files.createDirectories(output.resolve("2026-01-02_030405_quick/run-000_x_1"));
        Path beside = Files.createFile(output.resolveSibling(DEAD + twelve(0) + ".tmp"));
        Files.createFile(inside.resolve(".running-1-1700000000000"));
        Files.createFile(output.resolveSibling("result.json"));
        Path note = killed(output);

        Interrupted found = outputs.interrupted().getFirst();
        assertThat(found.output()).isEqualTo(output);
        assertThat(found.leftovers().paths()).containsExactlyInAnyOrder(beside, inside.getParent());
        assertThat(found.isReachable()).isTrue();
        found.forget();
        assertThat(note).doesNotExist();
    }

    @Test
    void plantedNoteLeadsToNoFileOfAStranger() throws IOException {
        Path home = Files.createDirectories(folder.resolve("home/2026-01-02_030405"));
        Path stranger = Files.createDirectories(folder.resolve("stranger"));
        Files.writeString(stranger.resolve(DEAD + twelve(0)), "behind a link");
        Files.writeString(home.resolve("letter"), "mine");
        Files.createDirectories(home.resolve(".unfinished-mine"));
        Files.createDirectories(home.resolve(".building-house"));
        Files.createFile(home.resolve(".writing-diary"));
        Files.createSymbolicLink(home.resolve("charts"), stranger);
        Files.createSymbolicLink(home.resolve(DEAD + twelve(1)), home.resolve("letter"));
        Files.createSymbolicLink(home.resolve(".unfinished-01234567-0123-0123-0123-0123456789ab"), stranger);
        killed(home);
        killed(home.getParent());
        Files.writeString(outputs.folder().resolve(DEAD + twelve(9)), "\n" + home.resolve("letter").toUri() + "\n");

        assertThat(outputs.interrupted()).hasSize(3);
        for (Interrupted each : outputs.interrupted()) {
            assertThat(each.leftovers()).isEqualTo(new Leftovers.Found(List.of(), false));
        }
    }

    @Test
    void notesThatSayNothingAreRemoved() throws IOException {
        Files.createDirectories(outputs.folder());
        for (String text : List.of("", "disk", "disk\nfile:///x", "disk\nhttp://x/y\n", "disk\nrelative\n",
                "disk\n:::\n", "\njrt:/java.base/\n", "disk\nfile:///a%00b\n", "x".repeat(40_000))) {
            Files.writeString(outputs.folder().resolve(DEAD + twelve(0)), text);
            assertThat(outputs.interrupted()).isEmpty();
            assertThat(notes()).isEmpty();
        }
    }

    @Test
    void foldersAmongTheNotesAreNoNotes() throws IOException {
        Path note = killed(folder.resolve("out"));
        Files.createDirectories(outputs.folder().resolve(".unfinished-01234567-0123-0123-0123-0123456789ab"));
        Files.createDirectories(outputs.folder().resolve(DEAD + twelve(7)));
        assertThat(outputs.interrupted()).extracting(Interrupted::note).containsExactly(note);
    }

    @Test
    void outputOnAnotherDiskIsNotReachable() throws IOException {
        Path note = killed(folder.resolve("out"));
        Files.writeString(note,
                "another%2Fdisk" + Files.readString(note).substring(Files.readString(note).indexOf('\n')));
        assertThat(outputs.interrupted().getFirst().isReachable()).isFalse();
    }

    @Test
    void outputThatIsBeingWrittenIsSaid() throws IOException {
        Path output = Files.createDirectories(folder.resolve("out"));
        killed(output);
        try (HeldFile held = HeldFile.hold(output.resolve("2026-01-02_030405/run-000"), Leftovers.RUNNING, "")) {
            assertThat(held.isInPlace()).isTrue();
            assertThat(outputs.interrupted().getFirst().leftovers()).isEqualTo(new Leftovers.Found(List.of(), true));
        }
    }

    @Test
    void numberOfNotesIsBounded() throws IOException {
        Path first = killed(folder.resolve("out"));
        assertThat(first.toFile().setLastModified(0)).isTrue();
        for (int i = 0; i < OutputFolders.MOST_NOTES; i++) {
            Files.createFile(outputs.folder().resolve(DEAD + twelve(100 + i)));
        }
        outputs.note(folder.resolve("out")).close();
        assertThat(notes()).hasSize(OutputFolders.MOST_NOTES - 1).doesNotContain(first);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void workspaceThatCannotBeWrittenHasNoNotes() throws IOException {
        OutputFolders none = OutputFolders.of(Files.writeString(folder.resolve("file"), "a file"));
        assertThat(none.interrupted()).isEmpty();
    }

    @Test
    void workspaceThatIsMissingIsNotMade() {
        OutputFolders missing = OutputFolders.of(folder.resolve("gone"));
        assertThatThrownBy(() -> missing.note(folder.resolve("out"))).isInstanceOf(NoSuchFileException.class);
        assertThat(folder.resolve("gone")).doesNotExist();
    }
}
