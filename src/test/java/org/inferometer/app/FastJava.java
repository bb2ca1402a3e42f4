package org.inferometer.app;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.inferometer.run.LocalRunHost;
import org.inferometer.units.FolderTree;

/// Commands of Java processes that start fast: classes in jars, with archives of loaded classes (CDS).
///
/// The first caller of a test JVM makes both in `target/class-archive`. They serve until classes are compiled again.
final class FastJava {
    /// A process with this property writes the archive that others read.
    private static final String WRITES = "inferometer.writes-archive";
    private static final List<String> CLASS_PATH =
            List.of(System.getProperty("java.class.path").split(File.pathSeparator));

    private FastJava() {}

    /// What each kind of process loads.
    private enum Kind {
        PROGRAM, WORKER;

        private Path archive(Path folder) {
            return folder.resolve(name().toLowerCase(Locale.ROOT) + ".jsa");
        }
    }

    /// The class path in jars, and their folder with the archives.
    private record Jars(String classPath, Path folder) {
        private static final Jars MADE = make();

        /// Children have jars on their class path, and find the archives beside the first.
        private static Jars make() {
            Path first = Path.of(CLASS_PATH.getFirst()).toAbsolutePath();
            if (!Files.isDirectory(first)) {
                return new Jars(String.join(File.pathSeparator, CLASS_PATH), first.getParent());
            }
            try {
                Path folder = Files.createDirectories(first.resolveSibling("class-archive"));
                boolean changed = false;
                List<String> entries = new ArrayList<>();
                for (String entry : CLASS_PATH) {
                    Path path = Path.of(entry).toAbsolutePath();
                    Path jar = folder.resolve(entries.size() + "-" + path.getFileName() + ".jar");
                    if (Files.isDirectory(path)) {
                        changed |= refresh(path, jar);
                    }
                    entries.add((Files.isDirectory(path) ? jar : path).toString());
                }
                Jars jars = new Jars(String.join(File.pathSeparator, entries), folder);
                if (changed || Arrays.stream(Kind.values()).anyMatch(kind -> !Files.exists(kind.archive(folder)))) {
                    jars.writeArchives();
                }
                return jars;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }

        private static boolean refresh(Path classes, Path jar) throws IOException {
            List<Path> files;
            try (Stream<Path> all = Files.walk(classes)) {
                files = all.filter(Files::isRegularFile).sorted().toList();
            }
            if (Files.exists(jar)) {
                long made = jar.toFile().lastModified();
                if (files.stream().allMatch(file -> file.toFile().lastModified() < made)) {
                    return false;
                }
            }
            Path unfinished = jar.resolveSibling(jar.getFileName() + ".new");
            try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(unfinished))) {
                out.setLevel(0);
                for (Path file : files) {
                    out.putNextEntry(new ZipEntry(classes.relativize(file).toString().replace('\\', '/')));
                    Files.copy(file, out);
                }
            }
            Files.move(unfinished, jar, StandardCopyOption.REPLACE_EXISTING);
            return true;
        }

        /// A short run of the command line, whose worker measures an engine.
        private void writeArchives() throws IOException, InterruptedException {
            for (Kind kind : Kind.values()) {
                Files.deleteIfExists(kind.archive(folder));
            }
            Path workspace = Files.createTempDirectory("class-archive");
            try {
                SmallestEngines.into(workspace);
                List<String> command =
                        new ArrayList<>(command(this, Kind.PROGRAM, true, EchoedKeyTest.CommandLine.class));
                command.addAll(List.of(workspace.toString(), "run", "--engine", "tiny-int4", "--workload", "short",
                        "--requests", "2", "--warmup", "1", "--runs", "1"));
                Process process = new ProcessBuilder(command).redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
                // Without archives, processes only start later.
                process.waitFor(60, TimeUnit.SECONDS);
                process.destroyForcibly().waitFor();
            } finally {
                FolderTree.delete(workspace);
            }
        }
    }

    /// Runs a class as one of short life: without the optimising compiler.
    static List<String> program(Class<?> main) {
        return command(Jars.MADE, Kind.PROGRAM, Boolean.getBoolean(WRITES), main);
    }

    /// Runs a class as a worker, with the options that the program gives its own.
    static List<String> worker(Class<?> main) {
        return command(Jars.MADE, Kind.WORKER, Boolean.getBoolean(WRITES), main);
    }

    private static List<String> command(Jars jars, Kind kind, boolean writes, Class<?> main) {
        Path archive = kind.archive(jars.folder());
        List<String> command = LocalRunHost.workerCommand(main.getName(), List.of()).stream()
                .map(word -> word.equals(System.getProperty("java.class.path")) ? jars.classPath() : word)
                .collect(Collectors.toCollection(ArrayList::new));
        if (kind == Kind.PROGRAM) {
            command.removeLast();
            command.add(1, "-XX:TieredStopAtLevel=1");
        }
        // Nothing on standard output where an archive does not fit: the process starts without it.
        command.addAll(1, List.of("-Xlog:disable", "-D" + WRITES + "=" + writes,
                (writes ? "-XX:ArchiveClassesAtExit=" : "-XX:SharedArchiveFile=") + archive));
        return command;
    }
}
