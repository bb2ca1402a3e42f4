package org.inferometer.suite.running;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.suite.slurm.FatalLogLines;

/// The end of a log that a test left in its folder.
///
/// @param name of its file
/// @param text its last bytes
/// @param cut whether more stands before
public record TestLog(String name, String text, boolean cut) {
    private static final int MOST_BYTES = 64 << 10;

    /// The log files of a test, by name; none if it has no folder. A link may lead anywhere and is left out.
    static List<Path> files(Path place) {
        List<Path> logs = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(place, "*.{out,err,log}")) {
            for (Path file : files) {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    logs.add(file);
                }
            }
        } catch (IOException e) {
            System.getLogger(TestLog.class.getName()).log(System.Logger.Level.DEBUG, "No logs yet", e);
        }
        logs.sort(Comparator.naturalOrder());
        return logs;
    }

    /// The ends of all logs of a test, by name.
    ///
    /// @throws IOException if a log cannot be read
    public static List<TestLog> ends(Path place) throws IOException {
        List<TestLog> logs = new ArrayList<>();
        for (Path file : files(place)) {
            logs.add(new TestLog(String.valueOf(file.getFileName()), FatalLogLines.end(file, MOST_BYTES),
                    Files.size(file) > MOST_BYTES));
        }
        return logs;
    }
}
