package org.inferometer.target.http;

import java.util.Optional;

/// An API key that is sent and never shown.
final class ApiKey {
    /// No key is sent.
    static final ApiKey NONE = new ApiKey("", "");

    private final String variable;
    private final String secret;

    private ApiKey(String variable, String secret) {
        this.variable = variable;
        this.secret = secret;
    }

    /// @param variable environment variable of the key
    /// @throws IllegalArgumentException if the key has invalid characters; the message does not contain it
    static ApiKey of(String variable, String secret) {
        if (!secret.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
            throw new IllegalArgumentException(
                    "The environment variable " + variable + " has characters that are invalid in a key.");
        }
        return new ApiKey(variable, secret);
    }

    /// The value of the Authorization header.
    Optional<String> header() {
        return secret.isEmpty() ? Optional.empty() : Optional.of("Bearer " + secret);
    }

    /// The environment variable; empty without a key.
    String variable() {
        return variable;
    }

    /// The text with the key removed, in case a server repeats it.
    String removedFrom(String text) {
        return secret.isEmpty() ? text : text.replace(secret, "***");
    }

    @Override
    public String toString() {
        return secret.isEmpty() ? "no key" : "the key in " + variable;
    }
}
