package org.inferometer.target.http;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.inferometer.units.LetterCase;
import org.inferometer.units.LinearPatterns;

/// The optional request fields that a server accepts: starts with all and removes those that the server refuses by name.
///
/// Used on the target's thread only.
@LinearPatterns("A pattern is a fixed text, and what must not stand beside it.")
final class Dialect {
    private final Set<RequestField> fields = EnumSet.noneOf(RequestField.class);
    private final boolean mayDropTokens;
    private final boolean mayDropMinTokens;
    private boolean promptAsTokens;
    private int version;

    /// An optional field.
    enum RequestField {
        MIN_TOKENS("min_tokens", "Answers may be shorter than requested."),
        IGNORE_EOS("ignore_eos", "Answers may end early at an end-of-sequence token."),
        CONTINUOUS_USAGE("continuous_usage_stats",
                "Token counts come with the last chunk only; gaps are gaps between chunks."),
        USAGE("stream_options", "There are no token counts; each chunk counts as one token."),
        TOP_K("top_k", "Sampling uses all tokens."), SEED("seed", "Sampling differs between runs."),
        /// Refused by OpenAI's newer models, which use `max_completion_tokens`.
        MAX_TOKENS("max_tokens", "max_completion_tokens is sent instead.");

        private final String id;
        private final String consequence;
        private final Pattern mention;

        RequestField(String id, String consequence) {
            this.id = id;
            this.consequence = consequence;
            this.mention = Pattern.compile("(?<![A-Za-z0-9_])" + id + "(?![A-Za-z0-9_])");
        }

        /// The name in the request.
        String id() {
            return id;
        }
    }

    Dialect(HttpSettings settings) {
        HttpOptions options = settings.options();
        fields.addAll(EnumSet.of(RequestField.TOP_K, RequestField.SEED, RequestField.MAX_TOKENS));
        add(RequestField.MIN_TOKENS, options.minTokens() != HttpOptions.MinTokens.OFF);
        add(RequestField.IGNORE_EOS, options.ignoreEos());
        add(RequestField.USAGE, options.stream() && options.usage() != HttpOptions.Usage.OFF);
        add(RequestField.CONTINUOUS_USAGE, options.stream() && options.usage() == HttpOptions.Usage.CONTINUOUS);
        this.promptAsTokens = !settings.chat() && options.prompt() != HttpOptions.PromptForm.TEXT;
        this.mayDropTokens = options.prompt() == HttpOptions.PromptForm.AUTO;
        this.mayDropMinTokens = options.minTokens() == HttpOptions.MinTokens.AUTO;
    }

    private void add(RequestField field, boolean wanted) {
        if (wanted) {
            fields.add(field);
        }
    }

    /// Whether the field is sent.
    boolean sends(RequestField field) {
        return fields.contains(field);
    }

    /// Whether drawn prompts are sent as token ids.
    boolean promptAsTokens() {
        return promptAsTokens;
    }

    /// Increases with each removed field, so that refusals of older forms are recognised.
    int version() {
        return version;
    }

    /// Removes the field that a refusal names; returns the message for the user, or nothing if no field can be removed.
    ///
    /// @param body of the refusal
    Optional<String> removeRefusedField(String body) {
        for (RequestField field : RequestField.values()) {
            if (fields.contains(field) && field.mention.matcher(body).find() && mayDrop(field, body)) {
                fields.remove(field);
                version++;
                return Optional.of("The server refuses " + field.id + "; it is no longer sent. " + field.consequence);
            }
        }
        String lower = LetterCase.lower(body);
        if (promptAsTokens && mayDropTokens && lower.contains("prompt") && !lower.contains("length")
                && !lower.contains("maximum")) {
            promptAsTokens = false;
            version++;
            return Optional
                    .of("The server refuses prompts of token ids; text of about as many tokens is sent instead.");
        }
        return Optional.empty();
    }

    private boolean mayDrop(RequestField field, String body) {
        return switch (field) {
            case MIN_TOKENS -> mayDropMinTokens;
            // Not if the server only refuses the size of the value.
            case MAX_TOKENS -> body.contains("max_completion_tokens") && body.contains("upported");
            case IGNORE_EOS, CONTINUOUS_USAGE, USAGE, TOP_K, SEED -> true;
        };
    }
}
