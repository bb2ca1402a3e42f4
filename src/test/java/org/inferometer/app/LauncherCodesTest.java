package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.record.ProgramVersion;
import org.inferometer.units.FolderTree;
import org.inferometer.units.LongForm;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The exit codes of the launcher: 1 is a verdict of the program and nothing else.
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
class LauncherCodesTest {
    @TempDir
    Path folder;

    private Path installation;

    /// What a process printed on both outputs, and its exit code.
    private record Ended(int code, String said) {}

    /// An installation without sources: the launcher, and a jar that stands for the classes of this test.
    @BeforeEach
    void install() throws IOException {
        installation = Files.createDirectories(folder.resolve("program with blank"));
        Files.copy(Path.of("inferometer"), installation.resolve("inferometer"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.createDirectories(installation.resolve("target/lib"));
        install(System.getProperty("java.class.path"));
    }

    private void install(String classPath) throws IOException {
        Manifest classes = new Manifest();
        classes.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        classes.getMainAttributes().put(Attributes.Name.CLASS_PATH, Stream.of(classPath.split(File.pathSeparator))
                .map(entry -> Path.of(entry).toUri().toString()).collect(Collectors.joining(" ")));
        new JarOutputStream(Files.newOutputStream(jar()), classes).close();
    }

    private Path jar() {
        return installation.resolve("target/inferometer.jar");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "81, 1", "1, 3", "2, 2", "3, 3", "4, 3", "80, 3", "126, 3", "127, 3", "128, 3"})
    void codeOfTheProgramIsMapped(int code, int expected) throws Exception {
        fakeJava("exit " + code);
        assertThat(start().code).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"KILL, 137", "ABRT, 134", "TERM, 143"})
    void codeOfASignalIsKept(String signal, int expected) throws Exception {
        fakeJava("kill -" + signal + " $$");
        assertThat(start().code).isEqualTo(expected);
    }

    /// How a start fails: what is broken, and a line of the shell that comes before the launcher.
    static Stream<Arguments> failingStarts() {
        return Stream.of(Arguments.of("-Xmx1gg", Broken.NOTHING, "export INFEROMETER_JAVA_OPTIONS=-Xmx1gg"),
                Arguments.of("unknown option", Broken.NOTHING, "export INFEROMETER_JAVA_OPTIONS=-XX:NoSuchOption"),
                Arguments.of("missing module", Broken.NOTHING,
                        "export INFEROMETER_JAVA_OPTIONS='--add-modules no.such'"),
                Arguments.of("memory", Broken.NOTHING, "ulimit -v 300000"),
                Arguments.of("heap", Broken.NOTHING, "export INFEROMETER_JAVA_OPTIONS='-Xms64t -Xmx64t'"),
                Arguments.of("stack", Broken.NOTHING, "export INFEROMETER_JAVA_OPTIONS=-Xss1"),
                Arguments.of("full disk", Broken.NOTHING,
                        "export INFEROMETER_JAVA_OPTIONS=-Xmx1gg; exec >/dev/full 2>&1"),
                Arguments.of("open files", Broken.NOTHING, "ulimit -n 12"),
                Arguments.of("closed outputs", Broken.NOTHING,
                        "export INFEROMETER_JAVA_OPTIONS=-Xmx1gg; exec >&- 2>&- <&-"),
                Arguments.of("damaged jar", Broken.JAR, ":"), Arguments.of("empty jar", Broken.CLASSES, ":"),
                Arguments.of("class of a later Java", Broken.VERSION, ":"),
                Arguments.of("Java is no program", Broken.JAVA, ":"), Arguments.of("no jar", Broken.NO_JAR, ":"),
                Arguments.of("build fails", Broken.BUILD, ":"), Arguments.of("target is a file", Broken.TARGET, ":"));
    }

    enum Broken {
        NOTHING, JAR, CLASSES, VERSION, JAVA, NO_JAR, BUILD, TARGET
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failingStarts")
    void startThatFailsIsNoVerdict(String name, Broken broken, String before) throws Exception {
        breakIt(broken);
        Ended ended = startAfter(before, "gate", "one", "two");
        assertThat(ended.code).as(ended.said).isEqualTo(3);
    }

    private void breakIt(Broken broken) throws IOException {
        switch (broken) {
            case NOTHING -> fakeMaven("exit 0");
            case JAR -> Files.writeString(jar(), "PK\u0003\u0004 no archive");
            case CLASSES -> writeClass("org/inferometer/Other.class", new byte[0]);
            case VERSION -> writeClass("org/inferometer/app/Launched.class",
                    new byte[]{(byte) 0xca, (byte) 0xfe, (byte) 0xba, (byte) 0xbe, 0, 0, 0, 99});
            case JAVA -> fakeJava("exec /no/such/interpreter");
            case NO_JAR -> {
                removeJar();
                fakeMaven("exit 0");
            }
            case BUILD -> {
                removeJar();
                fakeMaven("exit 1");
            }
            case TARGET -> {
                removeJar();
                FolderTree.delete(installation.resolve("target"));
                Files.writeString(installation.resolve("target"), "");
                fakeMaven("exit 0");
            }
        }
    }

    private void removeJar() throws IOException {
        Files.delete(jar());
        Files.createDirectories(installation.resolve("src/main/java/org/inferometer"));
        Files.writeString(installation.resolve("pom.xml"), "<project/>");
    }

    @Test
    void archiveThatCannotBeWrittenChangesNoCode() throws Exception {
        installJars();
        requireCodes("ulimit -f 2000");
        assertThat(archive()).doesNotExist();
    }

    @Test
    void archiveThatIsDamagedChangesNoCode() throws Exception {
        installJars();
        assertThat(start("gate", "no-such-result", "no-such-result").code).isEqualTo(2);
        requireAnotherArchiveAfter(Files.size(archive()) / 2);
    }

    @Test
    @LongForm
    void archiveThatIsDamagedInAnyWayChangesNoCode() throws Exception {
        installJars();
        requireCodes(":");
        long bytes = Files.size(archive());
        try (RandomAccessFile file = new RandomAccessFile(archive().toFile(), "rw")) {
            file.seek(300_000);
            file.write(new byte[200_000]);
        }
        requireCodes(":");
        requireAnotherArchiveAfter(bytes / 2);
        requireAnotherArchiveAfter(0);
    }

    /// A verdict after the archive was cut to so many bytes.
    private void requireAnotherArchiveAfter(long kept) throws Exception {
        long bytes = Files.size(archive());
        try (RandomAccessFile file = new RandomAccessFile(archive().toFile(), "rw")) {
            file.setLength(kept);
        }
        assertThat(start("suite", "validate", badSuite()).code).isEqualTo(1);
        assertThat(Files.size(archive())).isGreaterThan(bytes / 2);
    }

    /// Java archives classes of jars only.
    private void installJars() throws IOException {
        List<String> command = FastJava.program(Main.class);
        install(command.get(command.indexOf("-cp") + 1));
    }

    private Path archive() {
        return installation.resolve("target/inferometer.jsa");
    }

    private void requireCodes(String before) throws Exception {
        assertThat(startAfter(before, "--version"))
                .isEqualTo(new Ended(0, "Inferometer " + ProgramVersion.text() + "\n"));
        assertThat(startAfter(before, "suite", "validate", badSuite()).code).isEqualTo(1);
        assertThat(startAfter(before, "gate", "no-such-result", "no-such-result").code).isEqualTo(2);
    }

    private String badSuite() throws IOException {
        Path suite = Files.createDirectories(folder.resolve("suite"));
        Files.writeString(suite.resolve("bad.yaml"), "name: bad\nruns: -1\n");
        return suite.toString();
    }

    @Test
    void verdictAndWrongUseKeepTheirCodes() throws Exception {
        // As after a try to make an archive that failed: no other follows within an hour.
        Files.createDirectory(archive().resolveSibling("inferometer.jsa.part"));
        assertThat(start("gate", "no-such-result", "no-such-result").code).isEqualTo(2);
        assertThat(start("suite", "validate", badSuite()).code).isEqualTo(1);
    }

    @Test
    void programReadsTheInputOfTheLauncher() throws Exception {
        fakeJava("cat");
        assertThat(startAfter("exec <<'END'\nfirst\nsecond\nEND\n")).isEqualTo(new Ended(0, "first\nsecond\n"));
        assertThat(startAfter("exec <&-")).isEqualTo(new Ended(0, ""));
    }

    @ParameterizedTest
    @CsvSource({"TERM, 143", "INT, 130", "HUP, 129"})
    @Timeout(120)
    void signalToTheLauncherStopsTheProgram(String signal, int expected) throws Exception {
        assumeTrue(!isIgnored(Map.of("HUP", 1, "INT", 2, "TERM", 15).get(signal)),
                "A shell cannot trap a signal that is ignored when it starts, as under nohup.");
        // It ends as Java does when its shutdown hooks have run.
        fakeJava("trap 'echo stopped; exit 143' TERM", "echo started; while :; do sleep 0.1; done");
        Process launcher = launcher("exec 2>&1").start();
        try (var said = launcher.inputReader(StandardCharsets.UTF_8)) {
            assertThat(said.readLine()).isEqualTo("started");
            new ProcessBuilder("/bin/sh", "-c", "kill -" + signal + " " + launcher.pid()).start().waitFor();
            assertThat(said.readLine()).isEqualTo("stopped");
        }
        assertThat(launcher.waitFor()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"TERM", "INT", "HUP"})
    void signalWhileTheArchiveIsMadeLeavesNothing(String signal) throws Exception {
        assumeTrue(!isIgnored(Map.of("HUP", 1, "INT", 2, "TERM", 15).get(signal)),
                "A shell cannot trap a signal that is ignored when it starts, as under nohup.");
        Path begun = folder.resolve("begun");
        new ProcessBuilder("mkfifo", begun.toString()).start().waitFor();
        fakeJava("for word; do case $word in -XX:ArchiveClassesAtExit=*) new=${word#*=};; esac; done",
                "[ -n \"$new\" ] || exit 2", "trap 'sleep 0.2; echo half >\"$new\"; exit 143' TERM",
                "echo begun >'" + begun + "'; while :; do sleep 0.1; done");
        Process launcher = launcher(":", "devices").start();
        assertThat(Files.readString(begun)).isEqualTo("begun\n");
        new ProcessBuilder("/bin/sh", "-c", "kill -" + signal + " " + launcher.pid()).start().waitFor();
        assertThat(launcher.waitFor()).isEqualTo(2);
        try (Stream<Path> left = Files.list(archive().getParent())) {
            assertThat(left).containsExactlyInAnyOrder(jar(), archive().resolveSibling("lib"));
        }
    }

    /// Whether the processes that this one starts ignore a signal.
    private static boolean isIgnored(int signal) throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status) && Files.readAllLines(status).stream().filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) >>> (signal - 1) & 1) == 1);
    }

    @Test
    void programEndsWhenItsLauncherIsKilled() throws Exception {
        Process launcher = launcher(":", "worker").start();
        try {
            ProcessHandle program = awaitProgram(launcher);
            launcher.toHandle().destroyForcibly();
            assertThat(program.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
        } finally {
            launcher.getOutputStream().close();
        }
    }

    private static ProcessHandle awaitProgram(Process launcher) throws InterruptedException {
        while (launcher.isAlive()) {
            List<ProcessHandle> java =
                    launcher.children()
                            .filter(child -> child.info().command().orElse("").endsWith("/java")
                                    && child.info().commandLine().orElse("").contains(Launched.class.getName()))
                            .toList();
            if (!java.isEmpty()) {
                return java.getFirst();
            }
            launcher.waitFor(20, TimeUnit.MILLISECONDS);
        }
        throw new AssertionError("The launcher ended early");
    }

    @Test
    void reportsOfACrashGoToTheWorkspace() throws Exception {
        fakeJava("for word; do echo \"$word\"; done");
        Path workspace = Files.createDirectories(folder.resolve("my 100% work"));
        assertThat(start("--workspace", workspace.toString(), "devices").said).contains(
                "-XX:ErrorFile=" + folder + "/my 100%% work/hs_err_pid%p.log\n", "-XX:HeapDumpPath=" + workspace + "\n",
                "-XX:ReplayDataFile=" + folder + "/my 100%% work/replay_pid%p.log\n");
        assertThat(start("--workspace=" + workspace, "devices").said).contains("-XX:HeapDumpPath=" + workspace + "\n");
        assertThat(startAfter("export INFEROMETER_WORKSPACE='" + workspace + "'", "devices").said)
                .contains("-XX:HeapDumpPath=" + workspace + "\n");
        assertThat(start("devices").said).contains("-XX:HeapDumpPath=" + installation + "\n");
        assertThat(startAfter("export TMPDIR=/elsewhere", "--workspace", "/no/such", "devices").said)
                .contains("-XX:HeapDumpPath=/elsewhere\n");
    }

    private Ended start(String... arguments) throws IOException, InterruptedException {
        return startAfter(":", arguments);
    }

    private Ended startAfter(String before, String... arguments) throws IOException, InterruptedException {
        Path said = folder.resolve("said");
        Process process = launcher(before, arguments).redirectErrorStream(true).redirectOutput(said.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null"))).start();
        int code = process.waitFor();
        return new Ended(code, Files.readString(said));
    }

    private ProcessBuilder launcher(String before, String... arguments) {
        List<String> command = Stream.concat(Stream.of("/bin/sh", "-c", before + "\nexec \"$@\"", "sh",
                installation.resolve("inferometer").toString()), Stream.of(arguments)).toList();
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeAll(List.of("INFEROMETER_JAVA_OPTIONS", "INFEROMETER_WORKSPACE"));
        Path fake = folder.resolve("jdk");
        builder.environment().put("JAVA_HOME", Files.exists(fake) ? fake.toString() : System.getProperty("java.home"));
        builder.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        return builder;
    }

    private void fakeJava(String... lines) throws IOException {
        script("jdk/bin/java", lines);
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
    }

    private void fakeMaven(String... lines) throws IOException {
        script("bin/mvn", lines);
    }

    private void script(String name, String... lines) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private void writeClass(String name, byte[] content) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar()); JarOutputStream archive = new JarOutputStream(out)) {
            archive.putNextEntry(new JarEntry(name));
            archive.write(content);
        }
    }
}
