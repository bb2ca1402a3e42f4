package org.inferometer.suite.running;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.inferometer.results.ResultFormatException;
import org.inferometer.suite.running.SessionTest.OwnRequest;
import org.inferometer.suite.running.SuiteRunner.SuiteListener;
import org.inferometer.suite.running.TestSite.TestEnd;
import org.inferometer.suite.slurm.JobLedger;
import org.inferometer.suite.slurm.JobRequest;
import org.inferometer.suite.slurm.JobRequest.Allocation;
import org.inferometer.suite.slurm.ScriptedSlurm;
import org.inferometer.units.FolderTree;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobRecordsTest {
    private static final List<String> EXPERIMENTS = List.of("experiment-1.yaml", "experiment-2.yaml");

    @TempDir
    private Path folder;
    private JobRecords records = new JobRecords(Path.of(""), Path.of(""));

    @BeforeEach
    void place() {
        records = new JobRecords(folder.resolve("test"), folder.resolve("results"));
    }

    private void left(String experiment, String name) throws IOException {
        Path record = Files.createDirectories(records.folder(experiment).resolve(name));
        FolderTree.copy(Path.of("src/test/records/quick"), record);
    }

    private JobRecords.Collected collected(int complete, String... names) {
        return new JobRecords.Collected(List.of(names), complete, "");
    }

    @Test
    void newestRecordOfEachExperimentIsCollected() throws IOException {
        left(EXPERIMENTS.getFirst(), "2026-11-24_100000_a");
        left(EXPERIMENTS.getFirst(), "2026-11-24_110000_a");
        assertThat(records.collect(EXPERIMENTS)).isEqualTo(collected(1, "2026-11-24_110000_a"));
        left(EXPERIMENTS.getLast(), "2026-11-24_110000_a");
        assertThat(records.collect(EXPERIMENTS))
                .isEqualTo(collected(2, "2026-11-24_110000_a", "2026-11-24_110000_a-2"));
        assertThat(folder.resolve("results").toFile().list()).hasSize(2);
    }

    @Test
    void recordsThatAKilledProgramNamedAreMovedLater() throws IOException {
        left(EXPERIMENTS.getFirst(), "2026-11-24_100000_a");
        Files.writeString(records.folder(EXPERIMENTS.getFirst()).resolve("collected.txt"), "2026-11-24_100000_a");
        assertThat(records.collect(EXPERIMENTS)).isEqualTo(collected(1, "2026-11-24_100000_a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"run.sh", "CON", "run-000/NUL.txt", "run-000/deeper/run.json", "lpt1/run.json"})
    void recordsWithOtherFilesStayInTheJobsFolder(String other) throws IOException {
        left(EXPERIMENTS.getFirst(), "2026-11-24_100000_a");
        Path left = records.folder(EXPERIMENTS.getFirst()).resolve("2026-11-24_100000_a");
        Path file = left.resolve(other);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "x");
        assertThatThrownBy(() -> records.collect(EXPERIMENTS)).isInstanceOf(ResultFormatException.class)
                .hasMessageContaining("this is no file of a record. Remove it if you do not know it;");
        assertThat(left).exists();
        assertThat(folder.resolve("results")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/passwd", "../../x.yaml", "a/b.yaml", "nul", "NUL.yaml", "x.yaml.", ""})
    void experimentsOfASessionAreNames(String experiment) throws IOException {
        SessionTest test = SessionTest.waiting("a", "", "a.yaml", "logs/a", List.of(experiment), OwnRequest.NONE);
        assertThatThrownBy(session(test)::read)
                .hasMessageEndingWith("session.json: \"" + experiment + "\" is no name of an experiment file.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "1 2", "12,13", "-1"})
    void jobsOfASessionAreNumbers(String job) throws IOException {
        assertThatThrownBy(session(test("logs/a", List.of()).submitted(job))::read)
                .hasMessageEndingWith("session.json: \"" + job + "\" is no number of a job.");
        assertThat(session(test("logs/a", List.of()).submitted("4711_3")).read().tests()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../secret", "..", "/etc", "a/b", "", ".hidden"})
    void notesOfOthersLeadNowhere(String name) throws IOException {
        FolderTree.copy(Path.of("src/test/records/quick"), Files.createDirectories(folder.resolve("secret")));
        Files.writeString(Files.createDirectories(records.folder(EXPERIMENTS.getFirst())).resolve("collected.txt"),
                name);
        Files.createSymbolicLink(records.folder(EXPERIMENTS.getFirst()).resolve("2026-11-24_100000_a"),
                folder.resolve("secret"));
        assertThat(records.collect(EXPERIMENTS)).isEqualTo(collected(0));
    }

    @Test
    void earlierRecordsAreNotTakenForTheNext() throws IOException {
        left(EXPERIMENTS.getFirst(), "2026-11-24_100000_a");
        records.collect(EXPERIMENTS);
        Path log = Files.writeString(folder.resolve("test").resolve("slurm-7.out"), "fatal");
        records.putAside(List.of(log));
        assertThat(records.collect(EXPERIMENTS)).isEqualTo(collected(0));
        assertThat(folder.resolve("test").toFile().list()).containsExactly("earlier");
        assertThat(folder.resolve("test/earlier").toFile().list()).containsExactlyInAnyOrder("records", "slurm-7.out");
    }

    private static SessionTest test(String place, List<String> results) {
        SessionTest waiting =
                SessionTest.waiting("a", "", "a.yaml", place, List.of("experiment.yaml"), OwnRequest.NONE);
        return waiting.ended(new TestEnd(SessionTest.State.COMPLETE, "", results), place, null);
    }

    private SessionFolder session(SessionTest test) throws IOException {
        SessionFolder session = SessionFolder.create(folder, "s");
        session.write(
                new SuiteSession(SuiteSession.FORMAT_VERSION, "s", "suite", "", "slurm", Instant.EPOCH, List.of(test)));
        return session;
    }

    @Test
    void linksInASessionDoNotLeadOutOfIt() throws IOException {
        SessionFolder session = session(test("logs/a", List.of()));
        Files.createDirectories(session.path().resolve("logs"));
        Files.createSymbolicLink(session.path().resolve("logs/a"), folder.getParent());
        assertThatThrownBy(session::read)
                .hasMessageEndingWith("session.json: the path \"logs/a\" leads out of the session.");
    }

    @Test
    void recordsOfASessionAreNames() throws IOException {
        assertThat(session(test("logs/a", List.of("2026-11-24_100000_a"))).read().tests()).hasSize(1);
        assertThatThrownBy(session(test("logs/a", List.of("../../home")))::read)
                .hasMessageEndingWith("session.json: \"../../home\" is no name of a record.");
    }

    @Test
    void jobsThatAFileOfOthersNamesAreNotCancelled() throws Exception {
        SessionTest claimed = test("logs/a", List.of()).submitted("4242");
        SessionFolder session = session(claimed);
        ScriptedSlurm slurm = new ScriptedSlurm(() -> null);
        SlurmSettings settings = SlurmSiteTest.settings(folder, 1);
        SlurmSite site = new SlurmSite(slurm, settings, folder, new SuiteListener() {}, new SystemClock());
        site.cancelJob(session, claimed);
        assertThat(slurm.calls).isEmpty();
        JobLedger.open(session.path().resolve("jobs.tsv"), new SystemClock()).submit("a",
                new JobRequest("a", Allocation.DEFAULT, "", "", folder, List.of()), slurm);
        site.cancelJob(session, claimed);
        assertThat(slurm.calls).containsExactly("submit a", "cancel 100");
    }
}
