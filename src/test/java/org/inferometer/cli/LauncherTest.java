package org.inferometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.inferometer.units.FolderTree;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// When the launcher builds. Maven and Java are scripts: Maven writes down each call and copies the sources into the jar, Java prints
/// the jar.
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class LauncherTest {
    private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
    private static final String SOURCE = "src/main/java/org/inferometer/Main.java";

    @TempDir
    private Path folder;

    @BeforeEach
    void programs() throws IOException {
        script("bin/mvn", "echo built >> '" + folder.resolve("calls") + "'", "mkdir -p target/lib target/classes",
                "cat $(find src/main -type f | sort) > target/inferometer.jar");
        script("jdk/bin/java",
                "for word; do case $word in */target/inferometer.jar:*) cat \"${word%%:*}\" ;; esac; done");
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
        checkout("one", "first\n");
    }

    @Test
    void buildsOnce() throws Exception {
        assertThat(start("one")).endsWith("first\n");
        assertThat(start("one")).isEqualTo("first\n");
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void aSourceWithAnOldTimeIsBuilt() throws Exception {
        start("one");
        edit("one", "second\n");
        assertThat(start("one")).endsWith("second\n");
        assertThat(start("one")).isEqualTo("second\n");
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void aRemovedSourceIsBuilt() throws Exception {
        Path other = folder.resolve("one/src/main/java/org/inferometer/Other.java");
        Files.writeString(other, "other\n");
        assertThat(start("one")).endsWith("first\nother\n");
        Files.delete(other);
        assertThat(start("one")).endsWith("first\n");
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void aCopiedJarOfOtherSourcesIsNotTaken() throws Exception {
        start("one");
        checkout("two", "second\n");
        copyTarget("one", "two");
        assertThat(start("two")).endsWith("second\n");
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void aCopiedJarOfTheSameSourcesIsTaken() throws Exception {
        start("one");
        checkout("two", "first\n");
        copyTarget("one", "two");
        assertThat(start("two")).isEqualTo("first\n");
        assertThat(start("two")).isEqualTo("first\n");
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void classesOfAnEarlierBuildAreRemoved() throws Exception {
        start("one");
        Path left = Files.writeString(folder.resolve("one/target/classes/Left.class"), "");
        edit("one", "second\n");
        start("one");
        assertThat(left).doesNotExist();
    }

    @Test
    void aJarOfOtherSourcesIsBuiltAgainWhenTheSourcesAreBack() throws Exception {
        start("one");
        Files.delete(folder.resolve("one/target/inferometer.jar"));
        Files.writeString(folder.resolve("one/target/inferometer.jar"), "edited\n");
        edit("one", "second\n");
        edit("one", "first\n");
        assertThat(start("one")).endsWith("first\n");
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void aStampThatCannotBeBegunIsNoFailure() throws Exception {
        start("one");
        Files.delete(folder.resolve("one/target/inferometer.sources.begun"));
        Files.createDirectories(folder.resolve("one/target/inferometer.sources.begun"));
        Files.setLastModifiedTime(folder.resolve("one").resolve(SOURCE), LONG_AGO);
        assertThat(start("one")).isEqualTo("first\n");
    }

    @Test
    void aFolderMayHaveABlank() throws Exception {
        script("jdk/bin/java", "for word; do case $word in org.inferometer.*) echo \"$word\" ;; -*) ;; "
                + "*.jar:*) ;; *[!0-9]*) echo \"unexpected $word\" ;; esac; done");
        checkout("a clone", "first\n");
        assertThat(start("a clone")).endsWith("org.inferometer.app.Launched\n").doesNotContain("unexpected");
    }

    @Test
    void anAsciiLocaleBecomesUtf8() throws Exception {
        script("jdk/bin/java", "echo \"$LC_ALL\"");
        checkout("for \u00fcmlauts", "first\n");
        assertThat(start("for \u00fcmlauts", Map.of("LC_ALL", "C"))).endsWith("UTF-8\n");
        assertThat(start("for \u00fcmlauts", Map.of("LC_ALL", "POSIX"))).isEqualTo("C.UTF-8\n");
        assertThat(start("for \u00fcmlauts", Map.of("LC_ALL", "C.UTF-8"))).isEqualTo("C.UTF-8\n");
        script("bin/locale", "echo ISO-8859-1");
        assertThat(start("for \u00fcmlauts", Map.of("LC_ALL", "C"))).isEqualTo("C\n");
        script("bin/locale", "exit 127");
        assertThat(start("for \u00fcmlauts", Map.of("LC_ALL", "C"))).isEqualTo("C\n");
    }

    @Test
    void aLinkInAnotherProjectStartsItsTarget() throws Exception {
        Path classes = otherProject();
        Files.createSymbolicLink(folder.resolve("second"), Path.of("one/inferometer"));
        Files.createSymbolicLink(folder.resolve("other/inferometer"), Path.of("../second"));
        assertThat(start("other")).endsWith("first\n");
        assertThat(classes).exists();
    }

    @Test
    void anotherProjectIsNotBuilt() throws Exception {
        Path classes = otherProject();
        Files.copy(Path.of("inferometer"), folder.resolve("other/inferometer"), StandardCopyOption.COPY_ATTRIBUTES);
        Process process = launcher("other", Map.of()).start();
        assertThat(process.inputReader(StandardCharsets.UTF_8).readAllAsString())
                .isEqualTo(folder.toRealPath().resolve("other") + " has neither a built Inferometer nor its sources. "
                        + "Start the launcher in its own folder, or through a link.\n");
        assertThat(process.waitFor()).isEqualTo(3);
        assertThat(classes).exists();
        assertThat(folder.resolve("calls")).doesNotExist();
    }

    private Path otherProject() throws IOException {
        Files.createDirectories(folder.resolve("other/src/main/java"));
        Files.writeString(folder.resolve("other/pom.xml"), "<project/>\n");
        return Files.createDirectories(folder.resolve("other/target/classes"));
    }

    @Test
    void aSecondStartWaitsForTheBuild() throws Exception {
        Path lock = lock(ProcessHandle.current().pid());
        Process process = launcher("one", Map.of()).start();
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(said.readLine()).isEqualTo("Another start builds Inferometer; waiting for it. If there is none,"
                    + " delete " + lock.toRealPath() + ".");
            assertThat(folder.resolve("calls")).doesNotExist();
            FolderTree.delete(lock);
            assertThat(said.lines()).endsWith("first");
        }
        assertThat(process.waitFor()).isZero();
        assertThat(lock).doesNotExist();
    }

    @Test
    void theLockOfABuilderThatIsGoneIsTaken() throws Exception {
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        Path lock = lock(gone.pid());
        assertThat(start("one")).endsWith("first\n").doesNotContain("Another");
        assertThat(lock).doesNotExist();
    }

    private Path lock(long builder) throws IOException {
        Path lock = Files.createDirectories(folder.resolve("one/target/inferometer.building"));
        Files.writeString(lock.resolve("pid"), builder + "\n");
        return lock;
    }

    @Test
    void aStarInAnOptionIsNoPattern() throws Exception {
        script("jdk/bin/java", "for word; do case $word in -Dx=*) echo \"$word\" ;; esac; done");
        start("one");
        Files.createFile(folder.resolve("-Dx=file"));
        assertThat(start("one", Map.of("INFEROMETER_JAVA_OPTIONS", "-Dx=*"))).isEqualTo("-Dx=*\n");
    }

    @Test
    void optionsForEveryJavaAreNotTaken() throws Exception {
        script("jdk/bin/java", "echo \"${JDK_JAVA_OPTIONS-}${JAVA_TOOL_OPTIONS-}${_JAVA_OPTIONS-}.\"");
        start("one");
        assertThat(start("one", Map.of("JDK_JAVA_OPTIONS", "-Da", "JAVA_TOOL_OPTIONS", "-Db", "_JAVA_OPTIONS", "-Dc")))
                .isEqualTo(".\n");
    }

    private void checkout(String name, String source) throws IOException {
        Path clone = folder.resolve(name);
        Files.createDirectories(clone.resolve(SOURCE).getParent());
        Files.copy(Path.of("inferometer"), clone.resolve("inferometer"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.writeString(clone.resolve("pom.xml"), "<project/>\n");
        Files.writeString(clone.resolve(SOURCE), source);
    }

    /// Replaces a source by one that is older than the jar, as copies and archives leave it.
    private void edit(String name, String source) throws IOException {
        Path file = Files.writeString(folder.resolve(name).resolve(SOURCE), source);
        Files.setLastModifiedTime(file, LONG_AGO);
    }

    private void copyTarget(String from, String to) throws IOException {
        Path source = folder.resolve(from).resolve("target");
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(to).resolve("target").resolve(source.relativize(file)));
            }
        }
    }

    private void script(String name, String... lines) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private long builds() throws IOException {
        return Files.readAllLines(folder.resolve("calls")).size();
    }

    private String start(String name) throws IOException, InterruptedException {
        return start(name, Map.of());
    }

    private String start(String name, Map<String, String> variables) throws IOException, InterruptedException {
        Process process = launcher(name, variables).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private ProcessBuilder launcher(String name, Map<String, String> variables) {
        ProcessBuilder builder = new ProcessBuilder(folder.resolve(name).resolve("inferometer").toString());
        builder.directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        builder.environment().putAll(variables);
        return builder;
    }
}
