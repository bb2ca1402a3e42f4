package org.inferometer.target.edgellm;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionException;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.target.Target;
import org.inferometer.target.TargetException;
import org.inferometer.target.TargetKind;
import org.inferometer.target.TargetSetup;
import org.inferometer.target.WordTokenizer;

/// TensorRT-Edge-LLM as a target. Safe to share between threads.
public final class EdgeLlmTargetKind implements TargetKind {
    /// Ids only choose among common words, so any bound well above their number serves.
    private static final int VOCABULARY = 32_000;

    private final Function<String, Optional<String>> environment;

    /// @param environment the value of an environment variable; empty where it is not set
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
        return "TensorRT-Edge-LLM: llm_inference or llm_bench as processes, and the times of their own profile.";
    }

    @Override
    public List<OptionDescription> options() {
        return OptionRecords.describe(EdgeLlmOptions.class);
    }

    @Override
    public List<String> faults(Selection selection) {
        try {
            EdgeLlmSettings.read(selection, environment);
            return List.of();
        } catch (OptionException e) {
            return e.faults();
        }
    }

    @Override
    public String model(Selection selection) {
        return settings(selection).label();
    }

    @Override
    public Tokenizer tokenizer(Selection selection) {
        return new WordTokenizer(VOCABULARY);
    }

    /// Looks whether tool and engine are there; nothing is started before the first request.
    @Override
    public Target open(Selection selection, TargetSetup setup) throws TargetException {
        EdgeLlmSettings settings = settings(selection);
        settings.requireFiles();
        Tool tool = switch (settings.options().mode()) {
            case INFERENCE -> new InferenceTool(settings, new WordTokenizer(VOCABULARY));
            case BENCH -> new BenchTool(settings);
        };
        return EdgeLlmTarget.start(settings, tool, setup);
    }

    private EdgeLlmSettings settings(Selection selection) {
        try {
            return EdgeLlmSettings.read(selection, environment);
        } catch (OptionException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
