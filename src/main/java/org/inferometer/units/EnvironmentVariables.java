package org.inferometer.units;

import java.io.File;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The environment variables of this process and of the workspace's `.env` file. A variable of the process wins, also an empty one.
///
/// @param process variables of the process
/// @param file variables of the file
/// @param warnings sentences about the file, for the user
public record EnvironmentVariables(Map<String, String> process, Map<String, String> file, List<String> warnings) {
    /// Without variables.
    public static final EnvironmentVariables NONE = new EnvironmentVariables(Map.of(), Map.of(), List.of());

    /// Variables whose values describe what is measured. They appear as model, address or folder; all other values are masked.
    private static final Set<String> SETTINGS = Set.of("VLLM_ENDPOINT", "VLLM_HOST", "VLLM_PORT", "LLM_MODEL",
            "GPU_MEMORY_UTIL", "EDGELLM_HOME", "EDGELLM_PLUGIN_PATH");
    private static final Pattern SECRET_NAME =
            Pattern.compile("(?i)(?:.*_)?(?:API_?KEY|ACCESS_KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)");
    /// A shorter value without white space, such as "true", is also a word of other texts.
    private static final int LEAST_MASKED = 8;

    /// The variables of this process alone.
    public static EnvironmentVariables ofProcess() {
        Map<String, String> variables = System.getenv();
        if (File.separatorChar == '\\') {
            // Names of Windows have no case.
            Map<String, String> named = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            named.putAll(variables);
            variables = named;
        }
        return new EnvironmentVariables(variables, Map.of(), List.of());
    }

    /// These variables and those of a file.
    public EnvironmentVariables with(EnvFile added) {
        List<String> overridden = added.values().entrySet().stream()
                .filter(each -> !each.getValue().equals(process.getOrDefault(each.getKey(), each.getValue())))
                .map(Map.Entry::getKey).sorted().toList();
        List<String> notes = new ArrayList<>(added.warnings());
        if (!overridden.isEmpty()) {
            notes.add("The environment wins over " + EnvFile.NAME + " for " + String.join(", ", overridden) + ".");
        }
        return new EnvironmentVariables(process, added.values(), notes);
    }

    /// The value of a variable; empty if it is not set.
    public Optional<String> value(String name) {
        return Optional.ofNullable(process.getOrDefault(name, file.get(name)));
    }

    /// The named variables that only the file sets.
    public Map<String, String> fromFile(Collection<String> names) {
        Map<String, String> chosen = new TreeMap<>(file);
        chosen.keySet().retainAll(names);
        chosen.keySet().removeAll(process.keySet());
        return chosen;
    }

    /// Whether a variable of that name usually holds a secret: "HF_TOKEN".
    public static boolean namesSecret(String variable) {
        return SECRET_NAME.matcher(variable).matches();
    }

    /// Removes values of at least 8 characters from texts: those whose name says that they are secrets in every form of [SecretMask]; other
    /// values of the file as they are, unless they describe what is measured. To be kept for several texts, since it is costly to make.
    public UnaryOperator<String> mask() {
        List<SecretMask> named = Stream.concat(file.entrySet().stream(), process.entrySet().stream())
                .filter(each -> namesSecret(each.getKey()) && isLong(each.getValue())).map(Map.Entry::getValue)
                .distinct().map(SecretMask::new).toList();
        List<String> others = file.entrySet().stream()
                .filter(each -> !SETTINGS.contains(each.getKey()) && !namesSecret(each.getKey())
                        && isLong(each.getValue()))
                .map(Map.Entry::getValue).sorted(Comparator.comparing(String::length).reversed()).toList();
        return text -> {
            String safe = text;
            for (SecretMask secret : named) {
                safe = secret.removedFrom(safe);
            }
            for (String value : others) {
                safe = safe.replace(value, "***");
            }
            return safe;
        };
    }

    private static boolean isLong(String value) {
        return DecodedText.of(value).length() >= LEAST_MASKED;
    }

    /// Without values.
    @Override
    public String toString() {
        return "EnvironmentVariables[file=" + file.keySet() + "]";
    }
}
