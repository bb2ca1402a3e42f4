package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.options.Access;
import org.inferometer.options.Selection;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.UnfinishedFolder;
import org.inferometer.target.edgellm.EdgeLlmTargetKind;
import org.inferometer.units.Leftovers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// What an attacker tried with files of a result.
@Timeout(20)
@DisabledOnOs(OS.WINDOWS)
class ForeignFilesTest {
    @TempDir
    Path folder;

    @Test
    void chartsDoNotFollowALinkOutOfTheResult() throws IOException {
        Path own = Files.createDirectory(folder.resolve("own"));
        Files.writeString(own.resolve("a.png"), "mine");
        Path link = Files.createSymbolicLink(folder.resolve("report-charts"), own);
        assertThatThrownBy(() -> UnfinishedFolder.write(link, Map.of("a.png", new byte[]{1})))
                .isInstanceOf(IOException.class)
                .hasMessage(link + " is a link. Remove it, or choose the folder that it leads to.");
        assertThat(own.resolve("a.png")).hasContent("mine");
    }

    @Test
    void filesOfTheUserThatBeginAlikeAreNoLeftovers() throws IOException {
        Files.writeString(folder.resolve(".writing-notes"), "mine");
        Files.createDirectories(folder.resolve(".building-app/src"));
        Files.createDirectories(folder.resolve(".unfinished-novel"));
        Files.writeString(folder.resolve(".running-2026-11-28.gpx"), "mine");
        Files.writeString(folder.resolve(".running-2026-1700000000000"), "a track has content");
        Files.writeString(folder.resolve(".writing-2026-11-28.tmp"), "mine");
        Path docs = Files.createDirectories(folder.resolve(".building-docs"));
        Files.createFile(docs.resolve("lock"));
        Files.writeString(docs.resolve("notes.txt"), "mine");
        Path site = Files.createDirectories(folder.resolve(".building-site"));
        Files.writeString(site.resolve("lock"), "4711");
        Files.createDirectories(folder.resolve(".building-empty"));
        Path diary = Files.createDirectories(folder.resolve(".building-diary"));
        Files.createFile(diary.resolve("lock"));
        Files.writeString(diary.resolve("journal"), "my diary");
        Files.createFile(diary.resolve("sources.json"));
        Files.writeString(diary.resolve(Leftovers.MARK), "mine");
        Path running = Files
                .createDirectories(folder.resolve(".unfinished-11234567-0123-0123-0123-0123456789ab/.running-1-0"));
        Files.writeString(running.resolve("diary.txt"), "mine");
        Path full = Files.createDirectories(folder.resolve(".unfinished-21234567-0123-0123-0123-0123456789ab"));
        Files.writeString(full.resolve(".running-8-0"), "mine");
        Path trip = Files.createDirectories(folder.resolve("trip-charts"));
        Files.createFile(trip.resolve(".running-2026-1-x"));
        Path own = Files.createDirectories(folder.resolve(".unfinished-01234567-0123-0123-0123-0123456789ab"));
        Files.writeString(own.resolve("mine"), "mine");
        Files.createDirectories(folder.resolve("2026-11-28_120000-hike"));
        Files.createDirectories(folder.resolve("2026-11-28_120000_hike"));
        Files.createDirectories(folder.resolve("run-001-hike"));
        assertThat(Leftovers.in(folder)).isEmpty();
    }

    @Test
    void tokensLargerThanTheHeapAreRefusedAtOnce() throws IOException {
        Path sample = Path.of("src/test/records/schedulers-tiny");
        Path result = folder.resolve("huge");
        try (var files = Files.walk(sample)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = result.resolve(sample.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        try (var files = Files.walk(result)) {
            Path tokens = files.filter(file -> file.endsWith("tokens.bin")).findFirst().orElseThrow();
            try (RandomAccessFile sparse = new RandomAccessFile(tokens.toFile(), "rw")) {
                sparse.setLength(1L << 42);
            }
        }
        assertThatThrownBy(() -> new ResultLibrary(folder).open(result)).isInstanceOf(IOException.class)
                .hasMessageContaining("tokens.bin").hasMessageContaining("4.00 TiB");
    }

    @Test
    void theUsersOwnToolNeedsApprovalToo() {
        assertThat(new EdgeLlmTargetKind(name -> Optional.of("/opt/edgellm"))
                .accesses(Selection.parse("edgellm:engine_dir=theirs")))
                .isEqualTo(List.of(new Access(Access.Kind.PROGRAM, "llm_inference in EDGELLM_HOME"),
                        new Access(Access.Kind.FILE, "theirs")));
    }
}
