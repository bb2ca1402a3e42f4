package org.inferometer.target.edgellm;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.options.Access;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionException;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.target.Target;
import org.inferometer.target.TargetException;
import org.inferometer.target.TargetKind;
import org.inferometer.target.TargetKind.TargetSetup;
import org.inferometer.target.WordTokenizer;

/// TensorRT-Edge-LLM as a target. Thread-safe.
public final class EdgeLlmTargetKind implements TargetKind {
    /// Ids select common words, so any bound well above their number works.
    private static final int VOCABULARY = 32_000;

    private final Function<String, Optional<String>> environment;

    /// @param environment value of an environment variable; empty if it is not set
    public EdgeLlmTargetKind(Function<String, Optional<String>> environment) {
        this.environment = environment;
    }

    @Override
    public String name() {
        return "edgellm";
    }

    @Override
    public String label() {
        return "TensorRT-Edge-LLM (its tools)";
    }

    @Override
    public String help() {
        return "TensorRT-Edge-LLM: runs llm_inference or llm_bench and reads the times of its profile.";
    }

    @Override
    public List<OptionDescription> options() {
        return OptionRecords.describe(EdgeLlmOptions.class);
    }

    @Override
    public List<Access> accesses(Selection selection) {
        try {
            EdgeLlmOptions options = OptionRecords.read(EdgeLlmOptions.class, selection);
            List<Access> accesses = new ArrayList<>();
            // Also the user's own tool: it would load an engine that a stranger chose.
            accesses.add(new Access(Access.Kind.PROGRAM,
                    options.binary().isEmpty() ? options.mode().program() + " in EDGELLM_HOME" : options.binary()));
            if (!options.engineDir().isEmpty()) {
                accesses.add(new Access(Access.Kind.FILE, options.engineDir()));
            }
            return accesses;
        } catch (OptionException e) {
            return List.of();
        }
    }

    @Override
    public ConfiguredTarget configure(Selection selection) throws OptionException {
        return new ConfiguredTools(EdgeLlmSettings.read(selection, environment));
    }

    private record ConfiguredTools(EdgeLlmSettings settings) implements ConfiguredTarget {
        @Override
        public String model() {
            return settings.label();
        }

        @Override
        public List<String> variables() {
            return settings.variables();
        }

        @Override
        public Tokenizer tokenizer() {
            return new WordTokenizer(VOCABULARY);
        }

        /// Checks that tool and engine exist; starts nothing before the first request.
        @Override
        public Target open(TargetSetup setup) throws TargetException {
            settings.requireFiles();
            Tool tool = switch (settings.options().mode()) {
                case INFERENCE -> new InferenceTool(settings, new WordTokenizer(VOCABULARY));
                case BENCH -> new BenchTool(settings);
            };
            return EdgeLlmTarget.start(settings, tool, setup);
        }
    }
}
