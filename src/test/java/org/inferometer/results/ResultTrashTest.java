package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.inferometer.units.HeldFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ResultTrashTest {
    private static final Instant NOW = Instant.parse("2026-11-20T09:15:00Z");
    @TempDir
    Path results;

    private Path add(String id) throws IOException {
        Files.writeString(Files.createDirectory(results.resolve(id)).resolve("experiment.json"), id);
        return results.resolve(id);
    }

    @Test
    void deletedResultsComeBack() throws IOException {
        ResultTrash trash = new ResultTrash(results);
        ResultTrash.Deleted one = trash.delete(add("one"), NOW);
        ResultTrash.Deleted two = trash.delete(add("two"), NOW.plusSeconds(5));
        assertThat(results.resolve("one")).doesNotExist();
        assertThat(trash.list()).containsExactly(two, one);
        assertThat(trash.restore(one)).isEqualTo(results.resolve("one"));
        assertThat(results.resolve("one/experiment.json")).hasContent("one");
        assertThat(trash.list()).containsExactly(two);
    }

    @Test
    void anotherResultOfTheSameIdStays() throws IOException {
        ResultTrash trash = new ResultTrash(results);
        ResultTrash.Deleted deleted = trash.delete(add("one"), NOW);
        Files.writeString(add("one").resolve("experiment.json"), "newer");
        assertThatIOException().isThrownBy(() -> trash.restore(deleted))
                .withMessage(results.resolve("one") + " exists already; the deleted result stays in the trash.");
        assertThat(results.resolve("one/experiment.json")).hasContent("newer");
        assertThat(trash.list()).containsExactly(deleted);
    }

    @Test
    void afterThirtyDaysDeletedResultsAreRemoved() throws IOException {
        ResultTrash trash = new ResultTrash(results);
        trash.delete(add("one"), NOW);
        ResultTrash.Deleted two = trash.delete(add("two"), NOW.plus(Duration.ofDays(29)));
        assertThat(trash.list()).hasSize(2);
        ResultTrash.Deleted three = trash.delete(add("three"), NOW.plus(Duration.ofDays(30)).plusSeconds(1));
        assertThat(trash.list()).containsExactly(three, two);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void whereOthersCanWriteNothingIsRemoved() throws IOException {
        ResultTrash trash = new ResultTrash(results);
        Files.setPosixFilePermissions(results, PosixFilePermissions.fromString("rwxrwxrwx"));
        ResultTrash.Deleted one = trash.delete(add("one"), NOW);
        ResultTrash.Deleted two = trash.delete(add("two"), NOW.plus(Duration.ofDays(31)));
        assertThat(trash.list()).containsExactly(two, one);
    }

    @Test
    void onlyResultsOfTheWorkspaceAreDeleted() throws IOException {
        Path inside = Files.createDirectory(add("one").resolve("run"));
        Path link = Files.createSymbolicLink(results.resolve("link"), results.resolve("one"));
        for (Path other : new Path[]{inside, link, results, results.resolve("none")}) {
            assertThatIOException().isThrownBy(() -> new ResultTrash(results).delete(other, NOW))
                    .withMessage(other + " is not a result of this workspace; it is not deleted.");
        }
        assertThat(results.resolve("one/experiment.json")).exists();
    }

    @Test
    void resultsBeingWrittenStay() throws IOException {
        Path one = add("one");
        try (HeldFile marker = RunningMarker.hold(one)) {
            assertThat(marker).isNotNull();
            assertThatIOException().isThrownBy(() -> new ResultTrash(results).delete(one, NOW))
                    .withMessage(one + " is being written; it is not deleted. Stop the experiment first.");
        }
    }
}
