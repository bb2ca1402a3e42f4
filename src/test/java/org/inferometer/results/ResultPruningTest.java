package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ResultPruningTest {
    private static final Instant NOW = SampleRecords.STARTED.plus(Duration.ofDays(100));
    @TempDir
    Path folder;

    @Test
    void theNewestTheRunningAndTheUnreadableStay() {
        List<ResultLibrary.Entry> entries =
                List.of(entry("a", 40, RunStatus.COMPLETE), entry("b", 30, RunStatus.RUNNING),
                        entry("c", 20, RunStatus.CANCELLED), entry("d", 10, RunStatus.COMPLETE),
                        new ResultLibrary.Entry(Path.of("e"), Optional.empty(), "It cannot be read."));
        assertThat(names(new ResultPruning(1, Duration.ZERO).chosen(entries, NOW))).containsExactly("a", "c");
        assertThat(names(new ResultPruning(0, Duration.ofDays(15)).chosen(entries, NOW))).containsExactly("a", "c");
        assertThat(names(new ResultPruning(0, Duration.ofDays(25)).chosen(entries, NOW))).containsExactly("a");
        assertThat(names(new ResultPruning(3, Duration.ZERO).chosen(entries, NOW))).isEmpty();
    }

    @Test
    void deletingRemovesLinksAndNeverWhatTheyLeadTo() throws IOException {
        Path kept = Files.writeString(folder.resolve("kept.txt"), "x");
        Path experiment = folder.resolve("experiment");
        SampleRecords.writeExperiment(experiment, 1);
        Files.createSymbolicLink(experiment.resolve("link"), kept);
        ResultPruning.delete(new ResultLibrary(folder).list().getFirst().folder());
        assertThat(experiment).doesNotExist();
        assertThat(kept).exists();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void resultsBehindALinkOfAnotherUserStay() throws IOException {
        Path open = Files.createDirectory(folder.resolve("open"));
        Path experiment = folder.resolve("private/experiment");
        SampleRecords.writeExperiment(experiment, 1);
        Path link = Files.createSymbolicLink(open.resolve("results"), experiment.getParent());
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path listed = new ResultLibrary(link).list().getFirst().folder();
        assertThatThrownBy(() -> ResultPruning.delete(listed))
                .hasMessage(listed + " can be replaced by another user. It is not deleted.");
        assertThat(experiment.resolve("experiment.json")).exists();
    }

    private static List<String> names(List<ResultLibrary.Entry> entries) {
        return entries.stream().map(entry -> entry.folder().toString()).toList();
    }

    private static ResultLibrary.Entry entry(String name, int daysOld, RunStatus status) {
        ExperimentManifest sample = SampleRecords.experiment(Path.of(name), 1);
        return new ResultLibrary.Entry(Path.of(name),
                Optional.of(new ExperimentManifest(1, name, sample.spec(), sample.plan(), sample.machine(),
                        new ExperimentManifest.ExperimentTimes(NOW.minus(Duration.ofDays(daysOld)), null, null),
                        new ExperimentManifest.ExperimentOutcome(status, "", List.of(), null), false)),
                "");
    }
}
