package org.inferometer.experiment;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Optional;
import java.util.OptionalInt;
import org.inferometer.options.Selection;
import org.inferometer.units.FileName;
import org.jspecify.annotations.Nullable;

/// What a cell measures: an engine that this program schedules and computes, or a target that does both by itself.
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({@JsonSubTypes.Type(Subject.EngineSubject.class), @JsonSubTypes.Type(Subject.TargetSubject.class)})
public sealed interface Subject {
    /// The usual backend; labels leave it out.
    Selection HOST = Selection.of("host");

    /// The threads that a backend asks of the machine's cores, 0 for one on each; empty for a backend on another device.
    static OptionalInt coreThreads(Selection backend) {
        String asked = backend.options().getOrDefault("threads", "0");
        return !backend.name().equals(HOST.name()) ? OptionalInt.empty()
                : OptionalInt.of(asked.matches("[1-9]\\d{0,5}") ? Integer.parseInt(asked) : 0);
    }

    /// An engine of the catalogue under one of our schedulers on one of our backends.
    ///
    /// @param engine the engine's name
    /// @param limits the asked limits; the defaults where a record has none
    record EngineSubject(@JsonProperty("engine") String engine, @JsonProperty("scheduler") Selection scheduler,
            @JsonProperty("backend") Selection backend,
            @JsonProperty("limits") EngineLimits limits) implements Subject {
        public EngineSubject(String engine, Selection scheduler, Selection backend, @Nullable EngineLimits limits) {
            this.engine = engine;
            this.scheduler = scheduler;
            this.backend = backend;
            this.limits = limits == null ? EngineLimits.DEFAULTS : limits;
        }

        /// An engine with default limits.
        public EngineSubject(String engine, Selection scheduler, Selection backend) {
            this(engine, scheduler, backend, EngineLimits.DEFAULTS);
        }

        @Override
        public Optional<String> model() {
            return Optional.of(engine);
        }

        @Override
        public String system() {
            return scheduler.toString();
        }

        @Override
        public String platform() {
            return backend.toString();
        }

        @Override
        public String label() {
            String usual = engine + " · " + system();
            String on = backend.equals(HOST) ? usual : usual + " · " + backend;
            return limits.equals(EngineLimits.DEFAULTS) ? on : on + " · " + limits.text();
        }
    }

    /// A server or a tool that brings its own model, scheduler and hardware.
    ///
    /// @param target its kind with its options, as in `http:url=http://localhost:8000`
    record TargetSubject(@JsonProperty("target") Selection target) implements Subject {
        /// The option of tools that take a folder; its last name is the engine's.
        private static final String ENGINE_FOLDER = "engine_dir";
        /// The ending of a model that is a file; a name on a hub may have slashes, too.
        private static final String WEIGHTS_FILE = ".gguf";

        @Override
        public Optional<String> model() {
            return Optional.ofNullable(target.options().get("model"))
                    .map(model -> model.startsWith("/") || model.endsWith(WEIGHTS_FILE)
                            ? FileName.last(model).replaceFirst("\\.gguf$", "") : model)
                    .or(() -> Optional.ofNullable(target.options().get(ENGINE_FOLDER)).map(FileName::last));
        }

        /// Whether it is a server that runs elsewhere: not what the program starts, no tool, no imported run.
        public boolean hasAddress() {
            return target.options().containsKey("url");
        }

        @Override
        public String system() {
            return target.options().getOrDefault("name", target.name());
        }

        @Override
        public String platform() {
            return target.name();
        }
    }

    /// The engine, or the requested model of the target; empty if the target chooses its model.
    Optional<String> model();

    /// What serves the model: the scheduler with its options, or the target's name.
    String system();

    /// What computes: the backend with its options, or the kind of target.
    String platform();

    /// The display name: "tiny-int4 · continuous", "tiny-int4 · naive · host:threads=2 · max_batch_size=8", or "http" for a target whose model is not known.
    default String label() {
        return model().map(model -> model + " · " + system()).orElse(system());
    }
}
