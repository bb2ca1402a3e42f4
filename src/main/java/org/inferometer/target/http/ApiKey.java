package org.inferometer.target.http;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.units.OneLine;
import org.inferometer.units.SecretMask;

/// An API key that is sent and never shown. Thread-safe.
final class ApiKey {
    /// No key is sent.
    static final ApiKey NONE = new ApiKey("", "", List.of());

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]{20,}+");

    private final String variable;
    private final String secret;
    private final List<SecretMask> masks;
    /// The last text that was searched, since servers repeat their refusals.
    private volatile MaskedText last = new MaskedText("", "");

    private record MaskedText(String text, String without) {}

    private ApiKey(String variable, String secret, List<SecretMask> masks) {
        this.variable = variable;
        this.secret = secret;
        this.masks = masks;
    }

    /// @param variable environment variable of the key
    /// @throws IllegalArgumentException if the key has invalid characters; the message does not contain it
    static ApiKey of(String variable, String secret) {
        if (!secret.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
            throw new IllegalArgumentException(
                    "The environment variable " + variable + " has characters that are invalid in a key.");
        }
        return new ApiKey(variable, secret, secret.isEmpty() ? List.of() : List.of(new SecretMask(secret)));
    }

    /// The same key where other secrets are sent too.
    ///
    /// @param others values that are never shown either
    ApiKey beside(List<String> others) {
        return others.isEmpty() ? this
                : new ApiKey(variable, secret, Stream
                        .concat(masks.stream(), others.stream().filter(other -> !other.isBlank()).map(SecretMask::new))
                        .toList());
    }

    /// The value of the Authorization header.
    Optional<String> header() {
        return secret.isEmpty() ? Optional.empty() : Optional.of("Bearer " + secret);
    }

    /// Whether there is a secret that may not be shown.
    boolean hidesAny() {
        return !masks.isEmpty();
    }

    /// The environment variable; empty without a key.
    String variable() {
        return variable;
    }

    /// A log or an answer without the key, as of [SecretMask].
    String maskedIn(String text) {
        String masked = text;
        for (SecretMask mask : masks) {
            masked = mask.removedFrom(masked);
        }
        return masked;
    }

    /// A message or name of a server without the key and, if a key is sent, without words that look like codes: they may hold it in a form
    /// that is not known.
    String removedFrom(String text) {
        MaskedText before = last;
        if (masks.isEmpty()) {
            return text;
        }
        if (text.equals(before.text())) {
            return before.without();
        }
        String without = withoutCodes(maskedIn(text));
        last = new MaskedText(text, without);
        return without;
    }

    private static String withoutCodes(String text) {
        return WORD.matcher(text).replaceAll(word -> looksLikeCode(word.group()) ? "***" : word.group());
    }

    /// Whether letters and digits, or upper and lower case, change more often than in names.
    private static boolean looksLikeCode(String word) {
        int changes = 0;
        for (int i = 1; i < word.length(); i++) {
            char before = word.charAt(i - 1);
            char here = word.charAt(i);
            boolean digit = Character.isDigit(here) && !Character.isDigit(before);
            boolean capital = Character.isUpperCase(here) && Character.isLowerCase(before);
            changes += digit || capital ? 1 : 0;
        }
        return changes * 5 >= word.length();
    }

    /// Text of a server on one line, for a message. It is cut first, so that only what is kept is searched: the thread that stamps tokens
    /// waits meanwhile.
    String lineWithout(String text) {
        return removedFrom(OneLine.of(text));
    }

    @Override
    public String toString() {
        return secret.isEmpty() ? "no key" : "the key in " + variable;
    }
}
