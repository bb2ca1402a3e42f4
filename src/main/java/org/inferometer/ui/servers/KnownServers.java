package org.inferometer.ui.servers;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.collections.ObservableList;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.target.TargetKind.ProbeCheck;
import org.inferometer.target.TargetKind.ProbeCheck.Outcome;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.servers.KnownServers.KnownServer.State;

/// The servers that a user named, kept in the settings. Belongs to the UI thread.
public final class KnownServers {
    private static final String KEY = "servers";

    private final Probe probe;
    private final BackgroundWork work;
    private final ObservableList<KnownServer> all;

    /// Checks a server with one short request.
    @FunctionalInterface
    public interface Probe {
        /// Called in the background; takes up to a minute.
        ///
        /// @return empty for targets that cannot be checked before they run
        /// @throws OptionException with all faults of the options
        /// @throws IllegalArgumentException in one sentence if there is no such kind
        List<ProbeCheck> of(Selection target) throws OptionException, InterruptedException;
    }

    /// Reads the settings; contacts no server.
    public KnownServers(Probe probe, Settings settings, BackgroundWork work) {
        this.probe = probe;
        this.work = work;
        all = settings.list(KEY, line -> new KnownServer(Selection.parse(line)), server -> server.target().toString());
    }

    /// The servers, in the order in which they were named. A change is kept.
    public ObservableList<KnownServer> all() {
        return all;
    }

    /// Adds a server and probes it.
    ///
    /// @param typed "http://host:8000", "http:url=http://host:8000,model=NAME"
    /// @return what is wrong; empty if it was added
    public Optional<String> add(String typed) {
        try {
            Selection target = target(typed);
            if (find(target).isPresent()) {
                return Optional.of(text("servers.twice", target));
            }
            probed(typed);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /// The server of an address, added if it is new, and probed.
    ///
    /// @param typed as for [#add], also "host:8000"
    /// @throws IllegalArgumentException in one sentence if it is no address
    public KnownServer probed(String typed) {
        Selection target = target(typed);
        KnownServer server = find(target).orElseGet(() -> {
            KnownServer added = new KnownServer(target);
            all.add(added);
            return added;
        });
        probe(server);
        return server;
    }

    private Optional<KnownServer> find(Selection target) {
        return all.stream().filter(each -> each.target().equals(target)).findFirst();
    }

    private static Selection target(String typed) {
        String address = typed.strip();
        if (address.startsWith("http://") || address.startsWith("https://")) {
            return new Selection("http", Map.of("url", address));
        }
        int port = address.indexOf(':') + 1;
        boolean isHost = port > 1 && port < address.length() && Character.isDigit(address.charAt(port));
        return isHost ? new Selection("http", Map.of("url", "http://" + address)) : Selection.parse(address);
    }

    /// Probes a server. No effect while it is being probed.
    public void probe(KnownServer server) {
        if (server.state().get() instanceof State.Probing) {
            return;
        }
        server.set(new State.Probing());
        work.run(WindowWork.SERVER_PROBE, () -> probe.of(server.target()), checks -> server.set(checks.isEmpty()
                ? new State.Refused(text("servers.no-probe", server.target().name())) : new State.Probed(checks)),
                failure -> server.set(new State.Refused(failure instanceof OptionException options
                        ? String.join(" ", options.faults()) : ErrorText.sentence(failure))));
    }

    /// A server that runs, and what its last probe found. Belongs to the UI thread.
    public static final class KnownServer {
        private final Selection target;
        private final ReadOnlyObjectWrapper<State> state = new ReadOnlyObjectWrapper<>(new State.NotProbed());

        /// What is known of a server.
        public sealed interface State {
            /// It was not probed since the window opened.
            record NotProbed() implements State {}

            /// It is being probed.
            record Probing() implements State {}

            /// It was probed.
            ///
            /// @param checks in the order in which they were made
            record Probed(List<ProbeCheck> checks) implements State {
                /// Whether no check failed.
                public boolean usable() {
                    return checks.stream().noneMatch(check -> check.outcome() == Outcome.FAILED);
                }
            }

            /// It could not be probed.
            record Refused(String why) implements State {}
        }

        KnownServer(Selection target) {
            this.target = target;
        }

        /// As `--target` takes it.
        public Selection target() {
            return target;
        }

        /// What is known of it.
        public ReadOnlyObjectProperty<State> state() {
            return state.getReadOnlyProperty();
        }

        void set(State now) {
            state.set(now);
        }
    }
}
