package org.inferometer.target.serve;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.options.Access;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.target.ServerStart;
import org.inferometer.target.ServerStart.StartedServer;
import org.inferometer.target.Target;
import org.inferometer.target.TargetException;
import org.inferometer.target.TargetKind;
import org.inferometer.target.TargetKind.TargetSetup;
import org.inferometer.target.http.HttpTargetKind;

/// Servers that are started for a run, then measured through their OpenAI-compatible API. Thread-safe.
public final class ServedTargetKind implements TargetKind {
    /// Variables that name another server or model than the started one.
    private static final Set<String> FOREIGN =
            Set.of("VLLM_ENDPOINT", "VLLM_HOST", "VLLM_PORT", "LLM_MODEL", "GPU_MEMORY_UTIL");

    private final ServerRecipe recipe;
    private final HttpTargetKind api;

    private ServedTargetKind(ServerRecipe recipe, Function<String, Optional<String>> environment) {
        this.recipe = recipe;
        this.api = new HttpTargetKind(
                variable -> FOREIGN.contains(variable) ? Optional.empty() : environment.apply(variable));
    }

    /// A kind for each known server program, and one for any command.
    ///
    /// @param environment value of an environment variable; empty if it is not set
    public static List<TargetKind> all(Function<String, Optional<String>> environment) {
        return List.of(new ServedTargetKind(ServerRecipe.VLLM, environment),
                new ServedTargetKind(ServerRecipe.TRTLLM, environment),
                new ServedTargetKind(ServerRecipe.SGLANG, environment),
                new ServedTargetKind(ServerRecipe.LLAMA, environment),
                new ServedTargetKind(ServerRecipe.ANY, environment));
    }

    @Override
    public String name() {
        return recipe.name();
    }

    @Override
    public String label() {
        return recipe.label();
    }

    @Override
    public String help() {
        return recipe.takesCommand()
                ? "Any server with an OpenAI-compatible API: started by a command, measured, stopped." : "Starts "
                        + String.join(" ", recipe.program()) + ", waits until it is ready, measures it and stops it.";
    }

    @Override
    public List<OptionDescription> options() {
        return ServedSettings.describe(recipe);
    }

    @Override
    public boolean endsAnswersEarly() {
        return true;
    }

    @Override
    public boolean givesSeveralAnswers() {
        return true;
    }

    @Override
    public Optional<ServerStart> server(Selection selection) throws OptionException {
        return Optional.of(ServedSettings.read(recipe, selection).start());
    }

    @Override
    public List<Access> accesses(Selection selection) {
        try {
            ServedSettings settings = ServedSettings.read(recipe, selection);
            List<Access> accesses = new ArrayList<>();
            // Its whole command line: a known program does harm with arguments and variables that a stranger chose.
            accesses.add(new Access(Access.Kind.PROGRAM, settings.start().commandLine()));
            accesses.addAll(api.accesses(settings.api()));
            return accesses;
        } catch (OptionException e) {
            return List.of();
        }
    }

    @Override
    public ConfiguredTarget configure(Selection selection) throws OptionException {
        ServedSettings settings = ServedSettings.read(recipe, selection);
        // The port is known once it runs; everything else is checked now.
        ConfiguredTarget planned = api.configure(at("http://127.0.0.1:1", settings.api()));
        return new ConfiguredTarget() {
            @Override
            public String model() {
                return settings.model().isEmpty() ? recipe.name() : settings.model();
            }

            @Override
            public List<String> variables() {
                return planned.variables();
            }

            @Override
            public String withoutSecrets(String text) {
                return planned.withoutSecrets(text);
            }

            @Override
            public Tokenizer tokenizer() {
                return planned.tokenizer();
            }

            @Override
            public Target open(TargetSetup setup) throws TargetException {
                StartedServer started = setup.started().orElseThrow(
                        () -> new TargetException(recipe.name() + " was not started. Use a run on this machine."));
                try {
                    return api.configure(at(started.address(), settings.api())).open(setup);
                } catch (OptionException e) {
                    throw new TargetException(String.valueOf(e.getMessage()), e);
                }
            }
        };
    }

    private static Selection at(String address, Selection api) {
        Map<String, String> options = new LinkedHashMap<>(api.options());
        options.put("url", address);
        return new Selection(api.name(), options);
    }
}
