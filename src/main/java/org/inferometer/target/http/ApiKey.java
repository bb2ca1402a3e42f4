package org.inferometer.target.http;

import java.util.Optional;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;

/// An API key that is sent and never shown.
final class ApiKey {
    /// No key is sent.
    static final ApiKey NONE = new ApiKey("", "");

    private static final int MOST_SEARCHED = 2048;

    private final String variable;
    private final String secret;
    private final @Nullable SecretMask mask;

    private ApiKey(String variable, String secret) {
        this.variable = variable;
        this.secret = secret;
        this.mask = secret.isEmpty() ? null : new SecretMask(secret);
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

    /// The text without the key, in case a server repeats it in any spelling.
    String removedFrom(String text) {
        return mask == null ? text : mask.removedFrom(text);
    }

    /// Text of a server on one line, for a message. The key is removed before the text is cut, so that no part of it stays.
    String lineWithout(String text) {
        return OneLine.of(removedFrom(OneLine.of(text, MOST_SEARCHED)));
    }

    @Override
    public String toString() {
        return secret.isEmpty() ? "no key" : "the key in " + variable;
    }
}
