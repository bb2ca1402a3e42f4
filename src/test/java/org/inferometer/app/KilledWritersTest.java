package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.program.Cli;
import org.inferometer.engine.Engine;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.execution.host.kernels.PackFile;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.options.Selection;
import org.inferometer.plugin.Plugins;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.report.document.ReportOutline;
import org.inferometer.report.document.Reports;
import org.inferometer.results.Anonymizer;
import org.inferometer.results.OutputFolders;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.SampleRecords;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.results.UnfinishedFolder;
import org.inferometer.results.exchange.ExportFiles;
import org.inferometer.results.exchange.Importer;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.Workspace;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.FolderTree;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadPresets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Kills processes that write at random instants. Afterwards `results prune` removes all that is not whole, and what is whole opens.
@Tag("endurance")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(3600)
class KilledWritersTest {
    private static final int KILLS = Boolean.getBoolean("inferometer.endurance") ? 100 : 3;
    private static final int MOST_REPEATED = 300;
    private static final String SAMPLE = "sample";
    private static final List<String> FOLDERS = List.of("exports", "shared", "reports");

    @TempDir
    Path workspace;

    private Program program;

    /// Writes until it is killed; prints a line when it has begun. Arguments: the workspace, then "run" or "files".
    static final class Writer {
        private final Path workspace;
        private final String unique = Long.toString(ProcessHandle.current().pid());

        private Writer(Path workspace) {
            this.workspace = workspace;
        }

        public static void main(String[] arguments) throws Exception {
            Writer writer = new Writer(Path.of(arguments[0]));
            if (arguments[1].equals("run")) {
                writer.runExperiments();
            } else {
                writer.writeFiles();
            }
        }

        private void runExperiments() throws Exception {
            ExperimentSpec spec =
                    new ExperimentSpec("killed", List.of("tiny-int4"), List.of(Selection.of("continuous")),
                            List.of(new WorkloadPresets().find("basic").withRequests(40)
                                    .withArrivals(new ArrivalProcess.Poisson(100))),
                            Selection.of("host"), 1, 2, 1, 50, 0, ExperimentSpec.AskedLimits.DEFAULTS);
            System.out.println("started");
            for (int i = 0; i < 1000; i++) {
                new Program(new Workspace(workspace), EnvironmentVariables.ofProcess(), HastyWorker.in(workspace))
                        .benchmarks(workspace.resolve("results")).start(spec, new ExperimentListener() {
                            @Override
                            public void runStarted(RunPlan plan) {
                                // Nothing to show.
                            }
                        }).await();
            }
        }

        /// Something that is done again and again.
        private interface Work {
            void repeat(int count) throws Exception;
        }

        private void writeFiles() throws Exception {
            ExperimentRecord sample = new ResultLibrary(workspace.resolve("results")).open(Path.of(SAMPLE));
            Reports reports = new Reports((sheet, picture) -> new byte[1 << 16], SchedulerRegistry.standard(),
                    TextAnonymizer.ofThisMachine(EnvironmentVariables.ofProcess()));
            List<Work> all = List.of(
                    count -> new Importer(workspace.resolve("results")).read(workspace.resolve("source.json"),
                            Optional.empty(), Instant.EPOCH),
                    count -> UnfinishedFolder.write(folder("exports", count / 2),
                            ExportFiles.of(sample, "vllm", Optional.empty()).contents()),
                    count -> new Anonymizer(TextAnonymizer.ofThisMachine(EnvironmentVariables.ofProcess())).copy(sample,
                            folder("shared", count)),
                    count -> reports.of(List.of(sample), ReportOutline.USUAL).write(ReportFormat.MD,
                            folder("reports", count).resolveSibling(count + ".md")),
                    count -> new EngineBuilder().build(new EngineCatalog(workspace.resolve("engines")).find("tiny-fp8"),
                            fraction -> {}),
                    this::pack);
            CountDownLatch begun = new CountDownLatch(all.size());
            for (Work work : all) {
                Thread.ofPlatform().start(() -> repeat(work, begun));
            }
            begun.await();
            System.out.println("started");
        }

        private Path folder(String kind, int count) {
            return workspace.resolve(kind).resolve(unique + "-" + count);
        }

        private static void repeat(Work work, CountDownLatch begun) {
            try {
                for (int count = 0; count < MOST_REPEATED; count++) {
                    if (count == 1) {
                        begun.countDown();
                    }
                    work.repeat(count);
                }
            } catch (Exception e) {
                e.printStackTrace();
                System.exit(1);
            }
        }

        private void pack(int count) throws Exception {
            Path folder = workspace.resolve("engines/packed-int4");
            try (Engine engine = Engine.open(folder)) {
                PackFile.load(engine, 1).close();
                Files.deleteIfExists(engine.packedFile("host"));
            }
        }
    }

    private String cli(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream both = new PrintStream(out, true, StandardCharsets.UTF_8);
        Terminal terminal = new Terminal(new ByteArrayInputStream(new byte[0]), both, both, false, false, 100);
        int exit = new Cli(
                new CommandLineWiring(EnvironmentVariables.ofProcess(), (folders, environment, plugins) -> program),
                terminal)
                .execute(Stream.concat(Stream.of("--workspace", workspace.toString()), Stream.of(arguments))
                        .toArray(String[]::new));
        String text = out.toString(StandardCharsets.UTF_8);
        assertThat(exit).as(text).isZero();
        return text;
    }

    @BeforeEach
    void prepareSamples() throws Exception {
        program = new Program(new Workspace(workspace), EnvironmentVariables.ofProcess(), Plugins.NONE);
        SmallestEngines.into(workspace);
        Path packed = Files.createDirectories(workspace.resolve("engines/packed-int4"));
        Files.copy(workspace.resolve("engines/tiny-int4/recipe.yaml"), packed.resolve("recipe.yaml"));
        new EngineBuilder().build(new EngineCatalog(workspace.resolve("engines")).find("packed-int4"), fraction -> {});
        SampleRecords.writeExperiment(workspace.resolve("results").resolve(SAMPLE), 1);
        Path exported = workspace.resolve("first");
        cli("export", SAMPLE, "--format", "vllm", "--out", exported.toString());
        try (Stream<Path> files = Files.list(exported)) {
            Files.move(files.sorted().findFirst().orElseThrow(), workspace.resolve("source.json"));
        }
    }

    @Test
    void killedFileWritersLeaveNothingThatPruneKeeps() throws Exception {
        SplittableRandom random = new SplittableRandom(11);
        int left = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            kill("files", random.nextLong(500), true);
            if (isCheck(kill)) {
                left += prunedCompletely();
                // Only the sample stays, so that the next check is short.
                cli("results", "prune", "--keep", "1", "--yes");
                FolderTree.delete(workspace.resolve("shared"));
            }
        }
        assertThat(left).as("leftovers of %d kills", KILLS).isPositive();
        assertThat(workspace.resolve("exports")).as("kills came late enough").isNotEmptyDirectory();
        assertThat(workspace.resolve("reports")).as("kills came late enough").isNotEmptyDirectory();
    }

    @Test
    void killedExperimentsLeaveNothingThatPruneKeeps() throws Exception {
        SplittableRandom random = new SplittableRandom(12);
        for (int kill = 0; kill < KILLS; kill++) {
            kill("run", random.nextLong(2200), random.nextBoolean());
            if (isCheck(kill)) {
                prunedCompletely();
            }
        }
        assertThat(cli("results", "prune", "--keep", "0", "--yes")).contains("deleted ");
        assertThat(workspace.resolve("results")).isEmptyDirectory();
    }

    /// After every fifth kill and the last one.
    private static boolean isCheck(int kill) {
        return kill % 5 == 4 || kill == KILLS - 1;
    }

    private void kill(String what, long afterMillis, boolean workersToo) throws Exception {
        List<String> command = FastJava.program(Writer.class);
        command.addAll(List.of(workspace.toString(), what));
        Process writer = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(workspace.resolve("errors.txt").toFile())).start();
        List<ProcessHandle> workers;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(writer.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).as(errors()).isEqualTo("started");
            writer.waitFor(afterMillis, TimeUnit.MILLISECONDS);
            workers = writer.descendants().toList();
            writer.toHandle().destroyForcibly();
            writer.waitFor();
        }
        for (ProcessHandle worker : workers) {
            if (workersToo) {
                worker.destroyForcibly();
            }
            worker.onExit().get(60, TimeUnit.SECONDS);
        }
    }

    private String errors() throws IOException {
        return Files.readString(workspace.resolve("errors.txt"));
    }

    /// Prunes, checks what remains, and returns the number of leftovers.
    private int prunedCompletely() throws IOException {
        int left = pruned(cli("results", "prune"), cli("results", "prune", "--yes"));
        for (String folder : FOLDERS) {
            String where = workspace.resolve(folder).toString();
            left += pruned(cli("results", "prune", "--folder", where),
                    cli("results", "prune", "--folder", where, "--yes"));
        }
        assertThat(hidden()).isEmpty();
        assertThat(program.engines().entries()).extracting(EngineEntry::state)
                .doesNotContain(EngineEntry.State.DAMAGED);
        assertResultsOpen(workspace.resolve("results"));
        assertResultsOpen(workspace.resolve("shared"));
        return left;
    }

    /// What the dry run lists is what is deleted.
    private static int pruned(String dryRun, String deleted) {
        assertThat(deleted).doesNotContain("error:");
        assertThat(deleted.replace(" deleted.", " would be deleted. Add --yes to delete.").replace("deleted /",
                "would delete /")).isEqualTo(dryRun);
        return (int) deleted.lines().filter(line -> line.startsWith("deleted ")).count();
    }

    /// Hidden or empty entries, at any depth.
    private List<Path> hidden() throws IOException {
        try (Stream<Path> all = Files.walk(workspace)) {
            return all.filter(path -> path.getFileName().toString().startsWith(".") || isEmptyFolder(path))
                    .filter(path -> !path.equals(OutputFolders.of(workspace).folder()) || !isEmptyFolder(path))
                    .toList();
        }
    }

    private static boolean isEmptyFolder(Path path) {
        String[] content = path.toFile().list();
        return content != null && content.length == 0 && !path.endsWith("first")
        // Pruning keeps an empty folder of a run: a person may have made it.
                && !path.getFileName().toString().startsWith("run-");
    }

    /// Every folder is a result that opens; complete ones have every run.
    private static void assertResultsOpen(Path results) throws IOException {
        ResultLibrary library = new ResultLibrary(results);
        List<Path> listed = new ArrayList<>();
        for (ResultLibrary.Entry entry : library.list()) {
            assertThat(entry.problem()).isEmpty();
            listed.add(entry.folder());
            ExperimentRecord record = library.open(entry.folder());
            if (record.manifest().status() == RunStatus.COMPLETE) {
                assertThat(record.runs()).extracting(RunRecord::folderName).isEqualTo(record.manifest().runFolders());
            } else {
                assertThat(record.manifest().status()).isEqualTo(RunStatus.INTERRUPTED);
            }
        }
        if (Files.isDirectory(results)) {
            try (Stream<Path> folders = Files.list(results)) {
                assertThat(folders.filter(Files::isDirectory).toList()).containsExactlyInAnyOrderElementsOf(listed);
            }
        }
    }
}
