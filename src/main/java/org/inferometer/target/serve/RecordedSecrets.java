package org.inferometer.target.serve;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.units.EnvironmentVariables;

/// Finds keys in a command line and in variables, which are recorded with the run and shared with its copies.
final class RecordedSecrets {
    /// vLLM's `--api-key`, SGLang's `--admin-api-key`, llama-server's `--hf-token` and the like; not a file that holds the key.
    private static final Pattern FLAG = Pattern.compile(
            "(--?(?:[a-z]{1,20}[-_])?(?:api[-_]?key|access[-_]key|(?:hf|auth|access|bearer)[-_]token|password|secret)|-hft)(=.+)?");
    private static final Pattern VARIABLE = Pattern.compile("([A-Za-z_][A-Za-z0-9_]{0,127})=.+");
    /// Keys of OpenAI, Hugging Face, NVIDIA and GitHub, keys in headers, and passwords in addresses.
    private static final Pattern KEY = Pattern.compile("(?<![A-Za-z0-9])(?:sk-|hf_|nvapi-|ghp_)[A-Za-z0-9_-]{16,}"
            + "|(?i:bearer) {1,9}[^ ]{8,}|://[^/@: ]{0,200}:[^/@ ]{1,200}@");

    private RecordedSecrets() {}

    /// A sentence without the key; empty if there is none.
    static Optional<String> in(List<String> command, Map<String, String> variables) {
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            if (!variable.getValue().isEmpty() && EnvironmentVariables.namesSecret(variable.getKey())) {
                return fault("env", variable.getKey());
            }
            if (KEY.matcher(variable.getValue()).find()) {
                return fault("env", variable.getKey());
            }
        }
        for (int i = 0; i < command.size(); i++) {
            String word = command.get(i);
            Matcher flag = FLAG.matcher(word);
            if (flag.matches() && (flag.group(2) != null || i + 1 < command.size())) {
                return fault("The command", flag.group(1));
            }
            Matcher variable = VARIABLE.matcher(word);
            if (variable.matches() && EnvironmentVariables.namesSecret(variable.group(1))) {
                return fault("The command", variable.group(1));
            }
            if (KEY.matcher(word).find()) {
                return fault("The command", "word " + (i + 1));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> fault(String where, String what) {
        return Optional.of(where + " has a key in " + what + ", which would be recorded. Set it as a variable in the"
                + " environment of Inferometer: the server inherits it, and api_key_env can name it.");
    }
}
