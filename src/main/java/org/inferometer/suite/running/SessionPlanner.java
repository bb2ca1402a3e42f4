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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
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
import org.inferometer.suite.serving.Finding;
import org.inferometer.suite.serving.Section;
import org.inferometer.suite.slurm.JobRequest.Allocation;
import org.inferometer.units.Clock;
import org.inferometer.units.PlainText;
import org.jspecify.annotations.Nullable;

/// Makes the folder of a session with everything that its tests need: a session runs without the suite's folder.
///
/// @param mapping absent if only experiments are run
public record SessionPlanner(Suite suite, @Nullable TestMapping mapping, Path sessions, Clock clock) {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyy-MM-dd_HHmmss", Locale.ROOT);
    private static final int LONGEST_NAME = 180;
    private static final String CONFIGURATION = "configuration.yaml";
    private static final String FIELDS = "fields.json";

    /// Plans the files that are chosen.
    ///
    /// @param chosen the files of the session
    /// @param site where they run
    /// @throws IOException with a sentence if the folder cannot be written
    public SessionFolder plan(List<SuiteFile> files, Predicate<SuiteFile> chosen, String site) throws IOException {
        return plan(files, chosen, site, Allocation.DEFAULT);
    }

    /// Plans the files that are chosen.
    ///
    /// @param chosen the files of the session
    /// @param site where they run
    /// @param said what the user requests for each job, also when the session goes on later
    /// @throws IOException with a sentence if the folder cannot be written
    public SessionFolder plan(List<SuiteFile> files, Predicate<SuiteFile> chosen, String site, Allocation said)
            throws IOException {
        String name = String.valueOf(suite.folder().toAbsolutePath().normalize().getFileName());
        SessionFolder folder = SessionFolder.create(sessions,
                STAMP.format(clock.wall().atZone(ZoneId.systemDefault())) + "_" + plain(name));
        List<SessionTest> tests = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (SuiteFile file : files) {
            if (chosen.test(file)) {
                tests.add(planned(folder, file, free(taken, id(file))).requesting(said));
            }
        }
        folder.write(new SuiteSession(SuiteSession.FORMAT_VERSION, String.valueOf(folder.path().getFileName()),
                suite.folder().toString(), mapping == null ? "" : mapping.platform().text(), site, clock.wall(),
                List.copyOf(tests)));
        return folder;
    }

    /// The name of a file's test.
    public String id(SuiteFile file) {
        return file instanceof TestFile test ? PlainText.of(test.id().toString())
                : suite.shown(file.file()).replaceFirst("\\.ya?ml$", "").replace('/', '_').replace('\\', '_');
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

    private SessionTest planned(SessionFolder folder, SuiteFile file, String id) throws IOException {
        String source = suite.shown(file.file());
        String place = SessionFolder.folder(plain(id));
        return switch (file) {
            case UnreadableFile broken -> SessionTest.refused(id, type(file), source, place + SessionFolder.ERROR,
                    State.FAILED, sentences(broken.faults()));
            case ExperimentFile experiment -> experiment.spec().isPresent()
                    ? written(folder, id, "", source, place, List.of(experiment.spec().orElseThrow()), OwnRequest.NONE)
                    : SessionTest.refused(id, type(file), source, place + SessionFolder.ERROR, State.FAILED,
                            sentences(experiment.faults()));
            case TestFile test -> {
                Optional<String> wrong = errors(test);
                SessionTest planned =
                        wrong.isPresent() ? SessionTest.refused(id, type(file), source, place + SessionFolder.ERROR,
                                State.FAILED, wrong.get()) : mapped(folder, id, source, place, test);
                folder.write(planned, CONFIGURATION, Files.readString(test.file()));
                yield planned;
            }
        };
    }

    private SessionTest mapped(SessionFolder folder, String id, String source, String place, TestFile test)
            throws IOException {
        String type = test.id().type();
        if (mapping == null) {
            return SessionTest.refused(id, type, source, place, State.BLOCKED,
                    "It needs an engine or servers. Add --engine NAME, --target TARGET or --trtllm.");
        }
        MappedTest mapped = mapping.of(test);
        SessionTest planned = mapped.blocked().isEmpty()
                ? written(folder, id, type, source, place, referenced(folder, place, test, mapped.experiments()),
                        request(test, mapped.launch()))
                : SessionTest.refused(id, type, source, place, State.BLOCKED, String.join(" ", mapped.blocked()));
        folder.write(planned, FIELDS, new String(ManifestJson.bytes(mapped.fields()), StandardCharsets.UTF_8));
        if (mapped.blocked().isEmpty() && mapped.launch().isPresent()) {
            for (Map.Entry<String, String> file : mapped.launch().get().files().entrySet()) {
                folder.write(planned, file.getKey(), file.getValue());
            }
        }
        return planned;
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

    private static SessionTest written(SessionFolder folder, String id, String type, String source, String place,
            List<ExperimentSpec> experiments, OwnRequest own) throws IOException {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < experiments.size(); i++) {
            names.add(experiments.size() == 1 ? "experiment.yaml" : "experiment-" + (i + 1) + ".yaml");
        }
        SessionTest test = SessionTest.waiting(id, type, source, place, List.copyOf(names), own);
        for (int i = 0; i < experiments.size(); i++) {
            folder.write(test, names.get(i), SpecWriter.text(experiments.get(i)));
        }
        return test;
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

    private static String type(SuiteFile file) {
        return file instanceof TestFile test ? test.id().type() : "";
    }

    private static Optional<String> errors(TestFile test) {
        return test.isRefused() ? Optional.of(test.findings().stream()
                .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                .map(finding -> "Line " + finding.line() + ": " + finding.sentence()).collect(Collectors.joining(" ")))
                : Optional.empty();
    }

    private static String sentences(List<PlanFault> faults) {
        return faults.stream().map(PlanFault::toString).collect(Collectors.joining(" "));
    }
}
