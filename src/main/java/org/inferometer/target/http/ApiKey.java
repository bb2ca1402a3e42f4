package org.inferometer.target.http;

import java.util.Optional;

/// A key that is sent and never shown.
final class ApiKey {
    /// No key is sent.
    static final ApiKey NONE = new ApiKey("", "");

    private final String variable;
    private final String secret;

    private ApiKey(String variable, String secret) {
        this.variable = variable;
        this.secret = secret;
    }

    /// @param variable the environment variable that it came from
    /// @throws IllegalArgumentException with one sentence that does not repeat it
    static ApiKey of(String variable, String secret) {
        if (!secret.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
            throw new IllegalArgumentException(
                    "The environment variable " + variable + " holds characters that no key may have.");
        }
        return new ApiKey(variable, secret);
    }

    /// The value of the Authorization header.
    Optional<String> header() {
        return secret.isEmpty() ? Optional.empty() : Optional.of("Bearer " + secret);
    }

    /// The variable that it came from; empty without a key.
    String variable() {
        return variable;
    }

    /// The text without the key, should a server have repeated it.
    String removedFrom(String text) {
        return secret.isEmpty() ? text : text.replace(secret, "***");
    }

    @Override
    public String toString() {
        return secret.isEmpty() ? "no key" : "the key in " + variable;
    }
}
