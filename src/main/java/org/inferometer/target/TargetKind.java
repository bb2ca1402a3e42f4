package org.inferometer.target;

import java.util.List;
import java.util.Optional;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.options.Access;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.target.ServerStart.StartedServer;
import org.inferometer.units.Clock;
import org.inferometer.units.NearMisses;
import org.jspecify.annotations.Nullable;

/// A kind of target outside this process, for the planner and the worker; `app` lists the existing ones.
public interface TargetKind {
    /// The name in selections: "http", "edgellm".
    String name();

    /// A short label: "Server (OpenAI API)".
    String label();

    /// One sentence of help.
    String help();

    /// Its options.
    List<OptionDescription> options();

    /// Whether it gives several answers to a prompt (`n`).
    default boolean givesSeveralAnswers() {
        return false;
    }

    /// Whether its answers can end before their length, at the model's end of sequence or at a text.
    default boolean endsAnswersEarly() {
        return false;
    }

    /// The target of a selection. Contacts nothing.
    ///
    /// @throws OptionException with all faults
    ConfiguredTarget configure(Selection selection) throws OptionException;

    /// What a selection uses that its writer chose: programs, addresses off this machine, secrets and files. Empty for invalid
    /// options. Contacts nothing, and reads neither files nor secrets.
    List<Access> accesses(Selection selection);

    /// Checks a target without measuring it: what it serves, and whether one request succeeds. Blocks, up to a minute.
    ///
    /// @return empty for kinds that cannot be checked before they run
    /// @throws OptionException with all faults
    default List<ProbeCheck> probe(Selection selection) throws OptionException, InterruptedException {
        return List.of();
    }

    /// How the server of a selection is started; empty for kinds that start none.
    ///
    /// @throws OptionException with all faults
    default Optional<ServerStart> server(Selection selection) throws OptionException {
        return Optional.empty();
    }

    /// Faults of the given options; empty if there are none. Contacts nothing.
    default List<String> faults(Selection selection) {
        try {
            configure(selection);
            return List.of();
        } catch (OptionException e) {
            return e.faults();
        }
    }

    /// A target whose options are valid.
    interface ConfiguredTarget {
        /// The model, for tables and folder names: its name if given, else the address.
        String model();

        /// Names of the environment variables whose values it uses.
        default List<String> variables() {
            return List.of();
        }

        /// A text without the secrets that it uses.
        default String withoutSecrets(String text) {
            return text;
        }

        /// The tokenizer for drawn prompts: its vocabulary bounds token ids, and its text is what the target sends.
        Tokenizer tokenizer();

        /// Connects to the target; the caller closes it.
        ///
        /// @throws TargetException if it cannot be reached or refuses
        Target open(TargetSetup setup) throws TargetException;
    }

    /// The collaborators of a target outside this process.
    ///
    /// @param requests receives the events of requests, from one thread at a time
    /// @param events receives gauges and messages
    /// @param sampleEveryMillis interval of gauge readings
    /// @param keepText whether the parts of answers are reported as text
    /// @param promptSeed of the run, for targets whose caches outlive it; 0 leaves prompts as they were drawn
    /// @param server that was started for the run; absent for targets that start none
    record TargetSetup(Clock clock, RequestListener requests, TargetListener events, long sampleEveryMillis,
            boolean keepText, long promptSeed, @Nullable StartedServer server) {
        /// Without texts and without a started server.
        public TargetSetup(Clock clock, RequestListener requests, TargetListener events, long sampleEveryMillis) {
            this(clock, requests, events, sampleEveryMillis, false, 0, null);
        }

        /// The server that was started for the run.
        public Optional<StartedServer> started() {
            return Optional.ofNullable(server);
        }
    }

    /// One thing that a probe of a target found.
    ///
    /// @param name "models"
    /// @param sentence what was found, or what to do
    record ProbeCheck(String name, Outcome outcome, String sentence) {
        /// What the check says.
        public enum Outcome {
            PASSED, FAILED,
            /// The server does not have it; it can be measured all the same.
            ABSENT
        }

        public static ProbeCheck passed(String name, String sentence) {
            return new ProbeCheck(name, Outcome.PASSED, sentence);
        }

        public static ProbeCheck failed(String name, String sentence) {
            return new ProbeCheck(name, Outcome.FAILED, sentence);
        }

        public static ProbeCheck absent(String name, String sentence) {
            return new ProbeCheck(name, Outcome.ABSENT, sentence);
        }
    }

    /// The kinds of targets outside this process.
    record TargetKinds(List<TargetKind> all) {
        /// The kind of that name.
        ///
        /// @throws IllegalArgumentException with near misses and the valid set
        public TargetKind find(String name) {
            return all.stream().filter(kind -> kind.name().equals(name)).findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            NearMisses.sentence("target", name, all.stream().map(TargetKind::name).toList())));
        }
    }
}
