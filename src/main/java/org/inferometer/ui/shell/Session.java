package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.SpecReader;
import org.inferometer.experiment.SpecWriter;
import org.inferometer.results.AtomicFile;
import org.inferometer.results.ManifestJson;
import org.inferometer.results.bundle.BundleView;
import org.inferometer.results.bundle.SavedLook;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.results.ListLook;
import org.inferometer.ui.results.ShownResults;
import org.jspecify.annotations.Nullable;

/// What is open, kept for the next start: the view, the shown results and how they look, the designer's experiment and its machine. Read
/// and saved in the background.
///
/// @param settings has the view, the open result and the machine
/// @param experiment YAML file of the designer's experiment
/// @param shown JSON file of the shown results
/// @param workspace whose session it is: another workspace restores nothing
record Session(Settings settings, Path experiment, Path shown, Path workspace) {
    private static final System.Logger LOG = System.getLogger(Session.class.getName());
    private static final String WORKSPACE = "session-workspace";
    private static final String VIEW = "session-view";
    private static final String RESULT = "session-result";
    private static final String MACHINE = "session-machine";
    private static final String RUNNING = "session-running";

    /// What is open.
    ///
    /// @param designed the designer's experiment; null while it has a fault
    /// @param machine where it runs, as `--on` takes it; empty for this machine
    record Open(NavigationRail.View view, ShownResults shown, ListLook list, @Nullable ExperimentSpec designed,
            String machine) {}

    /// What was open last.
    ///
    /// @param open empty at the first start of this workspace
    /// @param broke whether that session did not end by itself
    /// @param problem one sentence if a part of it cannot be read; else empty
    record Last(Optional<Open> open, boolean broke, String problem) {}

    private record Shown(ShownResults results, ListLook list, String problem) {}

    private record Designed(@Nullable ExperimentSpec spec, String problem) {}

    /// The session of a workspace, beside the settings.
    ///
    /// @param results folder of its results
    static Session of(Settings settings, Path results) {
        Path workspace = results.toAbsolutePath().normalize().resolveSibling("").normalize();
        return new Session(settings, settings.file().resolveSibling("session.yaml"),
                settings.file().resolveSibling("session.json"), workspace);
    }

    /// What was open last in this workspace.
    Last last(SpecReader reader) {
        if (!settings.get(WORKSPACE).equals(Optional.of(workspace.toString()))) {
            return new Last(Optional.empty(), false,
                    settings.damaged().map(kept -> text("session.settings-unread", kept)).orElse(""));
        }
        String view = settings.get(VIEW).orElse("");
        Shown seen = lastShown();
        Designed designed = designed(reader);
        String problem = Stream.of(seen.problem, designed.problem).filter(sentence -> !sentence.isEmpty())
                .collect(Collectors.joining(" "));
        return new Last(
                Arrays.stream(NavigationRail.View.values()).filter(each -> each.name().equals(view)).findFirst()
                        .map(each -> new Open(each, seen.results, seen.list, designed.spec,
                                settings.get(MACHINE).orElse(""))),
                settings.get(RUNNING).equals(Optional.of("true")), problem);
    }

    /// Without a file that can be read, the result that the settings name.
    private Shown lastShown() {
        String problem = "";
        try {
            Optional<SessionFile> file =
                    SessionFile.read(shown).filter(read -> read.workspace().equals(workspace.toString()));
            if (file.isPresent()) {
                return new Shown(file.get().results(), file.get().list(), "");
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.INFO, "The session could not be read: " + shown, e);
            problem = setAside(shown, "session.unread");
        }
        Optional<Path> result = Optional.of(settings.get(RESULT).orElse("")).filter(name -> !name.isEmpty())
                .flatMap(name -> SessionFile.folder(workspace, name));
        return new Shown(new ShownResults(result, List.of(), false, Optional.empty(), SavedLook.NONE), ListLook.NONE,
                problem);
    }

    private static String setAside(Path file, String message) {
        try {
            return text(message, AtomicFile.keepAside(file));
        } catch (IOException e) {
            LOG.log(System.Logger.Level.INFO, "The session could not be moved: " + file, e);
            return text(message, file);
        }
    }

    private Designed designed(SpecReader reader) {
        try {
            return new Designed(Files.exists(experiment, LinkOption.NOFOLLOW_LINKS) ? reader.read(experiment) : null,
                    "");
        } catch (PlanException e) {
            LOG.log(System.Logger.Level.INFO, "The designer's last experiment could not be read: " + experiment, e);
            return new Designed(null, setAside(experiment, "session.experiment-unread"));
        }
    }

    /// Saves what is open; a failure is logged.
    ///
    /// @param running whether the session goes on
    void save(Open open, boolean running) {
        settings.put(WORKSPACE, workspace.toString());
        settings.put(VIEW, open.view.name());
        settings.put(RESULT, open.shown.opened().map(Path::toString).orElse(""));
        settings.put(MACHINE, open.machine);
        settings.put(RUNNING, Boolean.toString(running));
        settings.save();
        try {
            SessionFile.of(workspace, open.shown, open.list).write(shown);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.INFO, "The session could not be saved: " + shown, e);
        }
        if (open.designed != null) {
            try {
                AtomicFile.write(experiment, SpecWriter.text(open.designed).getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                LOG.log(System.Logger.Level.INFO, "The designer's experiment could not be saved: " + experiment, e);
            }
        }
    }

    /// What a session keeps of results: what is shown and how it looks. `session.json` beside the settings.
    ///
    /// @param workspace whose session it is
    /// @param shown with folders as names
    public record SessionFile(@JsonProperty("formatVersion") int formatVersion,
            @JsonProperty("workspace") String workspace, @JsonProperty("shown") BundleView shown,
            @JsonProperty("list") ListLook list) {
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
}
