package org.inferometer.cli.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.cli.CliServices;
import org.inferometer.cli.UsageException;
import org.inferometer.suite.running.SessionFolder;
import org.inferometer.units.NearMisses;
import org.jspecify.annotations.Nullable;

/// Finds sessions by id, folder or `latest`.
///
/// @param sessions their folder
public record SessionFinder(Path sessions) {
    private static final String OUTPUT_PATH = "OUTPUT_PATH";
    private static final String LATEST = "latest";

    /// Those of `OUTPUT_PATH`, else of the workspace.
    public static SessionFinder in(CliServices services) {
        return in(services, null);
    }

    /// @param chosen their folder; null for the usual one
    static SessionFinder in(CliServices services, @Nullable Path chosen) {
        return new SessionFinder(chosen != null ? chosen : services.environment().value(OUTPUT_PATH)
                .filter(path -> !path.isBlank()).map(Path::of).orElse(services.workspace().suites()));
    }

    SessionFolder find(String session) throws UsageException {
        List<Path> folders = folders();
        if (session.equals(LATEST)) {
            return folders.stream().max(Comparator.comparing(folder -> String.valueOf(folder.getFileName())))
                    .map(SessionFolder::new)
                    .orElseThrow(() -> new UsageException("No session in " + sessions + ". Run a suite first."));
        }
        try {
            Path named = sessions.resolve(session);
            Path path = SessionFolder.isOne(named) ? named : Path.of(session);
            if (SessionFolder.isOne(path)) {
                return new SessionFolder(path);
            }
        } catch (InvalidPathException e) {
            throw new UsageException("\"" + session + "\" is no name of a session.");
        }
        throw new UsageException(NearMisses.sentence("session", session,
                folders.stream().map(folder -> String.valueOf(folder.getFileName())).toList()));
    }

    /// All sessions, in the order of their names, which begin with their time.
    List<Path> folders() throws UsageException {
        if (!Files.isDirectory(sessions)) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(sessions)) {
            return folders.filter(SessionFolder::isOne).sorted().toList();
        } catch (IOException e) {
            throw UsageException.of(e);
        }
    }
}
