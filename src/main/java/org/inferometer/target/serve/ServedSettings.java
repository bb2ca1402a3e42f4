package org.inferometer.target.serve;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionException;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.target.ServerStart;
import org.inferometer.target.http.HttpTargetKind;
import org.inferometer.units.CommandWords;
import org.inferometer.units.NearMisses;

/// The options of a started server, divided among its start, its command line and its API.
///
/// @param model to load; empty if the command names it
/// @param start how it is started
/// @param api options of its API, without the address
record ServedSettings(String model, ServerStart start, Selection api) {
    private static final String MODEL = "model";
    private static final String URL = "url";
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z][a-z0-9_]*)\\}");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
    private static final Set<String> OWN = names(OptionRecords.describe(ServeOptions.class));

    /// Reads a selection.
    ///
    /// @throws OptionException with all faults of the server's options; those of the API are found when it is configured
    static ServedSettings read(ServerRecipe recipe, Selection selection) throws OptionException {
        List<String> faults = new ArrayList<>();
        Map<String, String> own = new LinkedHashMap<>();
        Map<String, String> server = new LinkedHashMap<>();
        Map<String, String> api = new LinkedHashMap<>();
        Set<String> apiNames = names(apiOptions());
        Set<String> placeholders = placeholders(selection.options().getOrDefault("command", "") + " "
                + selection.options().getOrDefault("arguments", ""));
        selection.options().forEach((word, value) -> {
            if (OWN.contains(word)) {
                own.put(word, value);
            } else if (recipe.option(word).isPresent() || placeholders.contains(word)) {
                server.put(word, value);
            } else if (apiNames.contains(word) || HttpTargetKind.isAddition(word)) {
                api.put(word, value);
            } else {
                faults.add(unknown(recipe, word));
            }
        });
        ServeOptions options;
        try {
            options = OptionRecords.read(ServeOptions.class, new Selection(selection.name(), own));
        } catch (OptionException e) {
            faults.addAll(e.faults());
            throw new OptionException(faults);
        }
        String model = selection.options().getOrDefault(MODEL, "");
        if (!recipe.takesCommand()) {
            // It lists one model, the loaded one; a path is no name in its API.
            api.remove(MODEL);
        }
        api.putIfAbsent("name", recipe.name());
        List<String> command = command(recipe, options, model, server, faults);
        Map<String, String> variables = variables(options.env(), faults);
        RecordedSecrets.in(command, variables).ifPresent(faults::add);
        String ready = options.ready().isEmpty() ? recipe.readyPath() : options.ready();
        if (!isPath(ready)) {
            faults.add("ready=" + ready + ": expected a path, as in /health.");
        }
        if (!faults.isEmpty()) {
            throw new OptionException(faults.stream()
                    .map(fault -> fault.startsWith(selection.name()) ? fault : selection.name() + ": " + fault)
                    .toList());
        }
        ServerStart start = new ServerStart(command, variables, options.port(), ready, seconds(options.readySeconds()),
                options.stopSignal(), seconds(options.stopSeconds()), options.restart() == ServeOptions.Restart.RUN,
                options.processes() == ServeOptions.Processes.HERE);
        return new ServedSettings(model, start, new Selection(selection.name(), api));
    }

    /// The options of a kind: those of its start, of its command line and of its API.
    static List<OptionDescription> describe(ServerRecipe recipe) {
        List<OptionDescription> all = new ArrayList<>();
        apiOptions().stream().filter(option -> option.name().equals(MODEL))
                .forEach(option -> all.add(new OptionDescription(MODEL, option.aliases(), option.kind(), "", "",
                        recipe.takesCommand() ? "Model to request, and {model} in the command."
                                : "Model to load: a name or a path.")));
        recipe.options().forEach(option -> all.add(option.description()));
        all.addAll(OptionRecords.describe(ServeOptions.class));
        apiOptions().stream().filter(option -> !option.name().equals(MODEL)).forEach(all::add);
        return all;
    }

    private static List<OptionDescription> apiOptions() {
        return HttpTargetKind.apiOptions().stream().filter(option -> !option.name().equals(URL)).toList();
    }

    private static String unknown(ServerRecipe recipe, String word) {
        if (word.equals(URL)) {
            return "url: the server is started on this machine. Set its port with port, or measure a running server"
                    + " with http:url=...";
        }
        return NearMisses.sentence("option of " + recipe.name(), word,
                describe(recipe).stream().map(OptionDescription::name).toList());
    }

    private static List<String> command(ServerRecipe recipe, ServeOptions options, String model,
            Map<String, String> server, List<String> faults) {
        if (recipe.takesCommand() && options.command().isBlank()) {
            faults.add("Give the command line of the server, as in"
                    + " serve:command=llama-server -m model.gguf --port {port}");
            return List.of();
        }
        if (!recipe.takesCommand() && model.isEmpty()) {
            faults.add("Give the model to load with model, a name or a path.");
            return List.of();
        }
        List<String> words = new ArrayList<>();
        try {
            List<String> given = CommandWords.of(options.command());
            words.addAll(given.isEmpty() ? recipe.program() : given);
            words.addAll(recipe.arguments());
            for (ServerOption option : recipe.options()) {
                words.addAll(option.words(server.getOrDefault(option.name(), "")));
            }
            words.addAll(CommandWords.of(options.arguments()));
        } catch (IllegalArgumentException e) {
            faults.add(String.valueOf(e.getMessage()));
            return List.of();
        }
        Map<String, String> values = new LinkedHashMap<>(server);
        values.put(MODEL, model);
        List<String> filled = words.stream().map(word -> filled(word, values, faults)).toList();
        if (options.port() == 0 && filled.stream().noneMatch(word -> word.contains(ServerStart.PORT))) {
            faults.add(
                    "The command does not say the port. Write {port} in it, or give the port that it uses with port.");
        }
        return filled;
    }

    /// A word with its placeholders replaced, except that of the port. A value never becomes several words.
    private static String filled(String word, Map<String, String> values, List<String> faults) {
        return PLACEHOLDER.matcher(word).replaceAll(match -> {
            String name = match.group(1);
            String value = values.getOrDefault(name, "");
            if (match.group().equals(ServerStart.PORT)) {
                return Matcher.quoteReplacement(match.group());
            }
            if (value.isEmpty()) {
                faults.add("The command names {" + name + "}. Give " + name + "=...");
            }
            return Matcher.quoteReplacement(value);
        });
    }

    private static Set<String> placeholders(String line) {
        return PLACEHOLDER.matcher(line).results().map(match -> match.group(1))
                .filter(name -> !name.equals("port") && !name.equals(MODEL))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Map<String, String> variables(String text, List<String> faults) {
        Map<String, String> variables = new LinkedHashMap<>();
        try {
            for (String word : CommandWords.of(text)) {
                int equals = word.indexOf('=');
                if (equals <= 0 || !VARIABLE.matcher(word.substring(0, equals)).matches()) {
                    // Without the text: it may hold a secret.
                    faults.add("env: expected NAME=value, several divided by blanks.");
                } else {
                    variables.put(word.substring(0, equals), word.substring(equals + 1));
                }
            }
        } catch (IllegalArgumentException e) {
            faults.add("env: " + e.getMessage());
        }
        return variables;
    }

    private static boolean isPath(String ready) {
        try {
            URI address = new URI("http://127.0.0.1:1" + ready);
            return ready.startsWith("/") && address.getPort() == 1 && address.getRawFragment() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static Set<String> names(List<OptionDescription> options) {
        return options.stream().flatMap(option -> java.util.stream.Stream
                .concat(java.util.stream.Stream.of(option.name()), option.aliases().stream()))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1000));
    }
}
