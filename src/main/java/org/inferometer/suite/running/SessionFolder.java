package org.inferometer.suite.running;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.results.AtomicFile;
import org.inferometer.results.ManifestJson;
import org.inferometer.units.FileFault;
import org.inferometer.units.FileName;
import org.inferometer.units.OneLine;

/// The folder of a session: `session.json`, and a folder of files for each test.
public record SessionFolder(Path path) {
    static final String SESSION = "session.json";
    /// The framework's end of a folder whose test failed.
    static final String ERROR = "_ERROR";
    private static final String LOGS = "logs";
    /// Copy of a test's reference file, in its folder.
    static final String REFERENCE = "reference.jsonl";

    private static final String LOCK = ".lock";
    /// Also of one task of a job: "4711_3", "4711+1".
    private static final Pattern JOB = Pattern.compile("(?:[0-9]{1,18}(?:[_+][0-9]{1,9})?)?");

    /// Makes a free folder of that name, with a number where it is taken.
    static SessionFolder create(Path sessions, String name) throws IOException {
        Files.createDirectories(sessions);
        Path folder = sessions.resolve(name);
        for (int i = 2;; i++) {
            try {
                return new SessionFolder(Files.createDirectory(folder));
            } catch (FileAlreadyExistsException e) {
                folder = sessions.resolve(name + "-" + i);
            }
        }
    }

    /// Whether a folder is a session's.
    public static boolean isOne(Path folder) {
        return Files.isRegularFile(folder.resolve(SESSION), LinkOption.NOFOLLOW_LINKS);
    }

    /// The newest session of a suite; empty if there is none.
    ///
    /// @param sessions folder of sessions
    /// @param suite the suite's folder
    /// @throws IOException if the folder of sessions cannot be listed
    public static Optional<SessionFolder> latest(Path sessions, Path suite) throws IOException {
        if (!Files.isDirectory(sessions)) {
            return Optional.empty();
        }
        List<Path> folders;
        try (Stream<Path> all = Files.list(sessions)) {
            folders = all.filter(SessionFolder::isOne).sorted(Comparator.reverseOrder()).toList();
        }
        Path wanted = suite.toAbsolutePath().normalize();
        for (Path folder : folders) {
            SessionFolder session = new SessionFolder(folder);
            try {
                if (Path.of(session.read().suite()).toAbsolutePath().normalize().equals(wanted)) {
                    return Optional.of(session);
                }
            } catch (IOException | InvalidPathException e) {
                System.getLogger(SessionFolder.class.getName()).log(System.Logger.Level.DEBUG,
                        "A session that cannot be read is none of this suite", e);
            }
        }
        return Optional.empty();
    }

    /// Whether a process runs the session now.
    public boolean isRunning() throws IOException {
        if (Files.notExists(path.resolve(LOCK))) {
            return false;
        }
        Optional<FileChannel> free = hold();
        if (free.isPresent()) {
            free.get().close();
        }
        return free.isEmpty();
    }

    /// Its state.
    ///
    /// @throws IOException with a sentence if there is none or it is broken
    public SuiteSession read() throws IOException {
        Path file = path.resolve(SESSION);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(path + ": no session of a suite. Give a folder that suite run made.");
        }
        SuiteSession session = ManifestJson.read(file, SuiteSession.class, SuiteSession.FORMAT_VERSION);
        for (SessionTest test : session.tests()) {
            inside(test.folder());
            require(JOB.matcher(test.job()).matches(), test.job(), "number of a job");
            for (String name : test.results()) {
                require(FileName.isPortable(name), name, "name of a record");
            }
            for (String experiment : test.experiments()) {
                require(FileName.isPortable(experiment), experiment, "name of an experiment file");
                inside(test.folder() + "/" + experiment);
            }
        }
        return session;
    }

    private void require(boolean holds, String text, String wanted) throws IOException {
        if (!holds) {
            throw new IOException(path.resolve(SESSION) + ": \"" + OneLine.of(text) + "\" is no " + wanted + ".");
        }
    }

    void write(SuiteSession session) throws IOException {
        AtomicFile.write(path.resolve(SESSION), ManifestJson.bytes(session));
    }

    /// The folder of a test's files.
    public Path of(SessionTest test) {
        return path.resolve(test.folder());
    }

    /// The path of a test's folder by the session's.
    static String folder(String test) {
        return LOGS + "/" + test.replace(':', '-');
    }

    /// Writes a file of a test.
    void write(SessionTest test, String name, String text) throws IOException {
        AtomicFile.write(of(test).resolve(name), text.getBytes(StandardCharsets.UTF_8));
    }

    /// The test's folder under the name that its end asks for, with `_ERROR` for a failed test.
    String renamed(SessionTest test, boolean failed) throws IOException {
        String plain = test.folder().endsWith(ERROR)
                ? test.folder().substring(0, test.folder().length() - ERROR.length()) : test.folder();
        String wanted = failed ? plain + ERROR : plain;
        if (!wanted.equals(test.folder()) && Files.isDirectory(of(test)) && Files.notExists(path.resolve(wanted))) {
            Files.move(of(test), path.resolve(wanted));
            return wanted;
        }
        return test.folder();
    }

    /// Holds the session, so that no other process runs it; empty if one does. The caller closes it.
    Optional<FileChannel> hold() throws IOException {
        FileChannel channel = FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return Optional.of(channel);
            }
            channel.close();
            return Optional.empty();
        } catch (OverlappingFileLockException e) {
            // This process runs it.
            channel.close();
            return Optional.empty();
        } catch (IOException e) {
            channel.close();
            throw FileFault.at(path.resolve(LOCK), e);
        }
    }

    /// A session may come from others: neither its paths nor its links may lead out of its folder.
    private void inside(String name) throws IOException {
        boolean inside;
        try {
            Path whole = path.toAbsolutePath().normalize();
            Path inner = whole.resolve(name).normalize();
            inside = !Path.of(name).isAbsolute() && inner.startsWith(whole) && !inner.equals(whole)
                    && (!Files.exists(inner) || inner.toRealPath().startsWith(whole.toRealPath()));
        } catch (InvalidPathException e) {
            inside = false;
        }
        if (!inside) {
            throw new IOException(
                    path.resolve(SESSION) + ": the path \"" + OneLine.of(name) + "\" leads out of the session.");
        }
    }
}
