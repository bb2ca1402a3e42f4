package org.inferometer.suite.running;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.SpecWriter;
import org.inferometer.results.AtomicFile;
import org.inferometer.results.ManifestJson;
import org.inferometer.suite.Suite;
import org.inferometer.suite.SuiteFile;
import org.inferometer.suite.SuiteFile.ExperimentFile;
import org.inferometer.suite.SuiteFile.TestFile;
import org.inferometer.suite.SuiteFile.UnreadableFile;
import org.inferometer.suite.launch.TrtllmLaunch;
import org.inferometer.suite.mapping.MappedTest;
import org.inferometer.suite.mapping.TestMapping;
import org.inferometer.suite.running.SessionTest.OwnRequest;
import org.inferometer.suite.running.SessionTest.State;
import org.inferometer.suite.running.TestSite.TestEnd;
import org.inferometer.suite.serving.Section;
import org.inferometer.suite.serving.TestConfiguration.Finding;
import org.inferometer.suite.slurm.JobRequest.Allocation;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// Makes the folder of a session with everything that its tests need: a session runs without the suite's folder.
///
/// @param mapping absent if only experiments are run
public record SessionPlanner(Suite suite, @Nullable TestMapping mapping, Path sessions, Clock clock) {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyy-MM-dd_HHmmss", Locale.ROOT);
    private static final int LONGEST_NAME = 180;
    private static final String CONFIGURATION = "configuration.yaml";
    private static final String FIELDS = "fields.json";

    /// What a file's test is before it is written.
    ///
    /// @param state waiting, or why it never begins
    /// @param reasons why it never begins, one sentence each; empty if it waits
    /// @param mapped what became of its fields; absent for an experiment, and for a test without a platform
    public record PlannedTest(List<ExperimentSpec> experiments, State state, List<String> reasons,
            Optional<MappedTest> mapped) {
        private static PlannedTest failed(Stream<?> reasons) {
            return new PlannedTest(List.of(), State.FAILED, reasons.map(Object::toString).toList(), Optional.empty());
        }
    }

    /// Plans files.
    ///
    /// @param files of the session
    /// @param site where they run
    /// @param said what the user requests for each job, also when the session goes on later
    /// @throws IOException with a sentence if the folder cannot be written
    public SessionFolder plan(List<SuiteFile> files, String site, Allocation said) throws IOException {
        String name = String.valueOf(suite.folder().toAbsolutePath().normalize().getFileName());
        SessionFolder folder = SessionFolder.create(sessions,
                STAMP.format(clock.wall().atZone(ZoneId.systemDefault())) + "_" + plain(name));
        List<SessionTest> tests = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (SuiteFile file : files) {
            tests.add(written(folder, file, free(taken, id(file))).requesting(said));
        }
        folder.write(new SuiteSession(SuiteSession.FORMAT_VERSION, String.valueOf(folder.path().getFileName()),
                suite.folder().toString(), mapping == null ? "" : mapping.platform().text(), site, clock.wall(),
                List.copyOf(tests)));
        return folder;
    }

    /// What a file becomes; nothing is written.
    public PlannedTest planned(SuiteFile file) {
        return switch (file) {
            case UnreadableFile broken -> PlannedTest.failed(broken.faults().stream());
            case ExperimentFile experiment -> experiment.spec()
                    .map(spec -> new PlannedTest(List.of(spec), State.WAITING, List.of(), Optional.empty()))
                    .orElseGet(() -> PlannedTest.failed(experiment.faults().stream()));
            case TestFile test when test.isRefused() -> PlannedTest
                    .failed(test.findings().stream().filter(finding -> finding.severity() == Finding.Severity.ERROR)
                            .map(finding -> "Line " + finding.line() + ": " + finding.sentence()));
            case TestFile test -> mapping == null ? new PlannedTest(List.of(), State.BLOCKED,
                    List.of("It needs an engine or servers. Add --engine NAME, --target TARGET or --trtllm."),
                    Optional.empty()) : planned(mapping.of(test));
        };
    }

    private static PlannedTest planned(MappedTest mapped) {
        return new PlannedTest(mapped.experiments(), mapped.blocked().isEmpty() ? State.WAITING : State.BLOCKED,
                mapped.blocked(), Optional.of(mapped));
    }

    /// The name of a file's test.
    public String id(SuiteFile file) {
        return suite.id(file);
    }

    /// Names are cut before they are numbered.
    private static String free(Set<String> taken, String id) {
        String free = id;
        for (int i = 2; !taken.add(plain(free)); i++) {
            String number = "-" + i;
            free = id.substring(0, Math.min(id.length(), LONGEST_NAME - number.length())) + number;
        }
        return free;
    }

    /// A name that is a file name everywhere.
    private static String plain(String name) {
        String plain = name.replaceAll("[^A-Za-z0-9._+-]", "-").replaceFirst("^[.-]+", "_");
        return plain.length() <= LONGEST_NAME ? plain : plain.substring(0, LONGEST_NAME);
    }

    private SessionTest written(SessionFolder folder, SuiteFile file, String id) throws IOException {
        PlannedTest planned = planned(file);
        String place = SessionFolder.folder(plain(id)) + (planned.state == State.FAILED ? SessionFolder.ERROR : "");
        List<String> names = IntStream.rangeClosed(1, planned.experiments.size())
                .mapToObj(i -> planned.experiments.size() == 1 ? "experiment.yaml" : "experiment-" + i + ".yaml")
                .toList();
        boolean waits = planned.state == State.WAITING;
        SessionTest waiting = SessionTest.waiting(id, file instanceof TestFile test ? test.id().type() : "",
                suite.shown(file.file()), place, names, waits && file instanceof TestFile test
                        ? request(test, planned.mapped.flatMap(MappedTest::launch)) : OwnRequest.NONE);
        SessionTest test = waits ? waiting
                : waiting.ended(new TestEnd(planned.state, String.join(" ", planned.reasons), List.of()), place, null);
        if (file instanceof TestFile configuration) {
            folder.write(test, CONFIGURATION, Files.readString(configuration.file()));
        }
        List<ExperimentSpec> experiments = file instanceof TestFile configuration
                ? referenced(folder, place, configuration, planned.experiments) : planned.experiments;
        for (int i = 0; i < names.size(); i++) {
            folder.write(test, names.get(i), SpecWriter.text(experiments.get(i)));
        }
        if (planned.mapped.isPresent()) {
            folder.write(test, FIELDS,
                    new String(ManifestJson.bytes(planned.mapped.get().fields()), StandardCharsets.UTF_8));
        }
        if (waits) {
            for (Map.Entry<String, String> each : planned.mapped.flatMap(MappedTest::launch).map(TrtllmLaunch::files)
                    .orElse(Map.of()).entrySet()) {
                folder.write(test, each.getKey(), each.getValue());
            }
        }
        return test;
    }

    /// A session has its own copy of the reference file.
    private static List<ExperimentSpec> referenced(SessionFolder folder, String place, TestFile test,
            List<ExperimentSpec> experiments) throws IOException {
        if (experiments.stream().noneMatch(ExperimentSpec::keepText) || test.reference().isEmpty()) {
            return experiments;
        }
        Path copy = folder.path().resolve(place).resolve(SessionFolder.REFERENCE).toAbsolutePath().normalize();
        AtomicFile.write(copy, Files.readAllBytes(test.reference().get().file()));
        return experiments.stream().map(spec -> spec
                .withWorkloads(spec.workloads().stream().map(load -> load.withPromptFile(copy.toString())).toList()))
                .toList();
    }

    /// What a configuration requests of a cluster. A placeholder such as `<partition>` requests nothing.
    ///
    /// @param launch of its servers, where the job starts them
    public static OwnRequest request(TestFile test, Optional<TrtllmLaunch> launch) {
        Section slurm = test.configuration().file().section("slurm");
        String partition = given(slurm.text("partition"));
        String account = given(slurm.text("account"));
        String time = given(slurm.text("job_time"));
        return launch.map(servers -> new OwnRequest(partition, account, time, servers.placement().nodes(),
                servers.placement().gpusPerNode(), servers.hasContainer(), servers.inOneSegment(),
                servers.extraArguments())).orElseGet(() -> new OwnRequest(partition, account, time));
    }

    private static String given(String value) {
        return value.matches("<.*>") ? "" : value;
    }
}
