package org.inferometer.ui.shell;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.results.AtomicFile;
import org.inferometer.results.ManifestJson;
import org.inferometer.results.bundle.BundleView;
import org.inferometer.results.bundle.SavedLook;
import org.inferometer.ui.results.ListLook;
import org.inferometer.ui.results.ShownResults;

/// What a session keeps of results: what is shown and how it looks. `session.json` beside the settings.
///
/// @param workspace whose session it is
/// @param shown with folders as names
public record SessionFile(@JsonProperty("formatVersion") int formatVersion, @JsonProperty("workspace") String workspace,
        @JsonProperty("shown") BundleView shown, @JsonProperty("list") ListLook list) {
    private static final int VERSION = 1;
    private static final int MOST_BYTES = 1 << 20;

    static SessionFile of(Path workspace, ShownResults shown, ListLook list) {
        return new SessionFile(VERSION, workspace.toString(), shown.written(Path::toString), list);
    }

    /// Reads a file; empty if there is none.
    ///
    /// @throws IOException with one sentence if it is damaged, too long or of another version
    static Optional<SessionFile> read(Path file) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        if (Files.isRegularFile(file) && Files.size(file) > MOST_BYTES) {
            throw new IOException(file + " is longer than " + (MOST_BYTES >> 20) + " MiB.");
        }
        return Optional.of(ManifestJson.read(file, SessionFile.class, VERSION));
    }

    /// What was shown, as far as it is still there.
    ShownResults results() {
        return ShownResults.of(shown, name -> folder(Path.of(workspace), name));
    }

    /// A folder that a file of the window names; empty if there is none. A look at another machine's folder would send it the user's name.
    static Optional<Path> folder(Path workspace, String name) {
        String slashes = name.replace('\\', '/');
        if (slashes.startsWith("//") && !slashes.startsWith(workspace.toString().replace('\\', '/'))) {
            return Optional.empty();
        }
        try {
            return Optional.of(workspace.resolve(name).toAbsolutePath().normalize()).filter(Files::isDirectory);
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /// Writes it, without looks that would be too long to be read.
    void write(Path file) throws IOException {
        byte[] whole = ManifestJson.bytes(this);
        AtomicFile.write(file, whole.length <= MOST_BYTES ? whole : ManifestJson.bytes(withoutLooks()));
    }

    private SessionFile withoutLooks() {
        return new SessionFile(formatVersion, workspace,
                new BundleView(shown.opened(), shown.compared(), shown.anyway(), shown.timeline(), SavedLook.NONE),
                ListLook.NONE);
    }
}
