package org.inferometer.suite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.experiment.SpecReader;
import org.inferometer.suite.SuiteFile.ExperimentFile;
import org.inferometer.suite.SuiteFile.TestFile;
import org.inferometer.suite.SuiteFile.TestId;
import org.inferometer.suite.SuiteFile.TestReference;
import org.inferometer.suite.SuiteFile.UnreadableFile;
import org.inferometer.suite.figures.AnswerReference;
import org.inferometer.suite.serving.ConfigurationReader;
import org.inferometer.suite.serving.TestConfiguration.Finding;
import org.inferometer.units.FileFault;
import org.inferometer.units.PlainText;
import org.inferometer.yaml.YamlFaults;
import org.inferometer.yaml.YamlMapping;
import org.inferometer.yaml.YamlReader;

/// A folder of YAML files at any depth: experiments, and test configurations of TensorRT-LLM's benchmark framework.
public record Suite(Path folder) {
    private static final int MOST_FILES = 10_000;
    private static final int MOST_FOLDERS = 10_000;
    private static final int DEEPEST = 16;
    private static final YamlReader.Limits LIMITS = new YamlReader.Limits(1 << 20, 20, 100);

    /// All files, sorted by path. Each is read and checked on its own.
    ///
    /// @throws IOException with a sentence for the user if the folder cannot be listed or has no such file
    public List<SuiteFile> files() throws IOException {
        List<SuiteFile> files = new ArrayList<>();
        for (Path file : paths()) {
            files.add(read(file));
        }
        return files;
    }

    private List<Path> paths() throws IOException {
        if (Files.isRegularFile(folder)) {
            throw new IOException(folder + ": a file. Give its folder, and choose tests of it with -k NAME.");
        }
        if (!Files.isDirectory(folder)) {
            throw new IOException(
                    folder + ": no such folder. Give a folder with experiments or test configurations (*.yaml).");
        }
        List<Path> paths = new ArrayList<>();
        collect(folder, 0, new HashSet<>(), paths);
        paths.sort(Comparator.naturalOrder());
        if (paths.size() > MOST_FILES) {
            throw new IOException(folder + ": more than " + MOST_FILES + " files. Split the suite.");
        }
        if (paths.isEmpty()) {
            throw new IOException(
                    folder + ": no experiments or test configurations (*.yaml) in it or in its subfolders."
                            + " Give another folder.");
        }
        return paths;
    }

    /// Links to folders are followed, each folder once. A YAML name that is no readable file is kept: a test that vanishes silently looks
    /// like one that passed. Hidden folders belong to other tools.
    private void collect(Path place, int depth, Set<Path> seen, List<Path> paths) throws IOException {
        if (depth > DEEPEST || paths.size() > MOST_FILES || !seen.add(place.toRealPath())) {
            return;
        }
        if (seen.size() > MOST_FOLDERS) {
            throw new IOException(folder + ": more than " + MOST_FOLDERS + " folders. Give one of them.");
        }
        List<Path> children;
        try (Stream<Path> all = Files.list(place)) {
            children = all.sorted().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (Path child : children) {
            String name = String.valueOf(child.getFileName());
            if (name.startsWith(".")) {
                continue;
            }
            if (Files.isDirectory(child)) {
                collect(child, depth + 1, seen, paths);
            } else if (name.endsWith(".yaml") || name.endsWith(".yml")) {
                paths.add(child);
            }
        }
    }

    /// The path in the suite, for tables.
    public String shown(Path file) {
        return PlainText.of(folder.relativize(file).toString());
    }

    /// The name of a file's test: without its ending.
    public String id(SuiteFile file) {
        return file instanceof TestFile test ? PlainText.of(test.id().toString())
                : TestId.nameOf(shown(file.file())).replace('/', '_').replace('\\', '_');
    }

    private SuiteFile read(Path file) {
        YamlFaults faults = new YamlFaults();
        List<Integer> escapes = new ArrayList<>();
        Optional<YamlMapping> root;
        try {
            root = YamlReader.readAsMeant(file, LIMITS, faults, escapes::add);
        } catch (IOException e) {
            return new UnreadableFile(file, List.of(new PlanFault(shown(file), FileFault.reason(e))));
        }
        if (root.isEmpty()) {
            return new UnreadableFile(file, faults(file, faults));
        }
        if (root.get().entries().isEmpty()) {
            return new UnreadableFile(file, List.of(new PlanFault(shown(file),
                    "The file is empty. Write a test configuration or an experiment, or delete it.")));
        }
        return ConfigurationReader.isTest(root.get()) ? test(file, root.get(), faults, escapes) : experiment(file);
    }

    private TestFile test(Path file, YamlMapping root, YamlFaults faults, List<Integer> escapes) {
        ConfigurationReader.Loaded loaded = ConfigurationReader.read(root);
        List<Finding> findings = new ArrayList<>(loaded.findings());
        escapes.forEach(line -> findings.add(new Finding(line, Finding.Severity.NOTE, "escape",
                "YAML knows no such escape in double quotes. It is read as it stands; write it in single quotes.", "",
                "")));
        faults.list().forEach(fault -> findings
                .add(new Finding(fault.line(), Finding.Severity.ERROR, "yaml", fault.sentence(), "", "")));
        findings.sort(Comparator.comparingInt(Finding::line));
        return new TestFile(file, TestId.of(file), loaded.configuration(), List.copyOf(findings), reference(file));
    }

    private static Optional<TestReference> reference(Path test) {
        Path file = AnswerReference.of(test);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new TestReference(file, AnswerReference.read(file).answers().size(), ""));
        } catch (IOException e) {
            return Optional.of(new TestReference(file, 0, FileFault.sentence(e)));
        }
    }

    private SuiteFile experiment(Path file) {
        try {
            return new ExperimentFile(file, Optional.of(new SpecReader().read(file)), List.of());
        } catch (PlanException e) {
            List<PlanFault> faults = e.faults().stream().map(fault -> inSuite(file, fault)).toList();
            return e.isUnreadable() ? new UnreadableFile(file, faults)
                    : new ExperimentFile(file, Optional.empty(), faults);
        }
    }

    /// Files of several folders may have one name.
    public PlanFault inSuite(Path file, PlanFault fault) {
        String name = PlainText.of(String.valueOf(file.getFileName()));
        return fault.where().startsWith(name)
                ? new PlanFault(shown(file) + fault.where().substring(name.length()), fault.sentence()) : fault;
    }

    private List<PlanFault> faults(Path file, YamlFaults faults) {
        return faults.list().stream().map(fault -> new PlanFault(shown(file) + ":" + fault.line(), fault.sentence()))
                .toList();
    }
}
