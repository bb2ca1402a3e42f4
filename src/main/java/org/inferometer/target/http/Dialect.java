package org.inferometer.target.http;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Which optional fields a server takes: begins with all that are wanted and leaves out what the server refuses by name.
///
/// Lives on the target's thread alone.
final class Dialect {
    private final Set<Field> fields = EnumSet.noneOf(Field.class);
    private final boolean mayDropTokens;
    private final boolean mayDropMinTokens;
    private boolean promptAsTokens;
    private int version;

    /// A field that not every server takes.
    enum Field {
        MIN_TOKENS("min_tokens", "Answers may end before their full length."),
        IGNORE_EOS("ignore_eos", "Answers may end at an end-of-sequence token before their full length."),
        CONTINUOUS_USAGE("continuous_usage_stats",
                "Tokens are counted at the end alone, so gaps are those between chunks."),
        USAGE("stream_options", "Nobody counts the tokens: each chunk is taken for one."),
        TOP_K("top_k", "Sampling is not cut to the likeliest tokens."),
        SEED("seed", "Sampling differs from run to run."),
        /// Not OpenAI's newer models, which want `max_completion_tokens`.
        MAX_TOKENS("max_tokens", "max_completion_tokens is sent in its place.");

        private final String word;
        private final String consequence;
        private final Pattern mention;

        Field(String word, String consequence) {
            this.word = word;
            this.consequence = consequence;
            this.mention = Pattern.compile("(?<![A-Za-z0-9_])" + word + "(?![A-Za-z0-9_])");
        }

        /// The name in the request.
        String word() {
            return word;
        }
    }

    Dialect(HttpSettings settings) {
        HttpOptions options = settings.options();
        fields.addAll(EnumSet.of(Field.TOP_K, Field.SEED, Field.MAX_TOKENS));
        add(Field.MIN_TOKENS, options.minTokens() != HttpOptions.MinTokens.OFF);
        add(Field.IGNORE_EOS, options.ignoreEos());
        add(Field.USAGE, options.usage() != HttpOptions.Usage.OFF);
        add(Field.CONTINUOUS_USAGE, options.usage() == HttpOptions.Usage.CONTINUOUS);
        this.promptAsTokens = !settings.chat() && options.prompt() != HttpOptions.PromptForm.TEXT;
        this.mayDropTokens = options.prompt() == HttpOptions.PromptForm.AUTO;
        this.mayDropMinTokens = options.minTokens() == HttpOptions.MinTokens.AUTO;
    }

    private void add(Field field, boolean wanted) {
        if (wanted) {
            fields.add(field);
        }
    }

    /// Whether the field is sent.
    boolean sends(Field field) {
        return fields.contains(field);
    }

    /// Whether prompts that were drawn as token ids go out as such.
    boolean promptAsTokens() {
        return promptAsTokens;
    }

    /// Grows with everything learnt, so that a refusal of an older form is known as old.
    int version() {
        return version;
    }

    /// Learns from a refusal: the sentence that tells what is left out from now on; empty when it names nothing that could be.
    ///
    /// @param body what the server said
    Optional<String> learn(String body) {
        for (Field field : Field.values()) {
            if (fields.contains(field) && field.mention.matcher(body).find() && mayDrop(field, body)) {
                fields.remove(field);
                version++;
                return Optional.of(
                        "The server refuses " + field.word + ", which is left out from now on. " + field.consequence);
            }
        }
        String lower = body.toLowerCase(Locale.ROOT);
        if (promptAsTokens && mayDropTokens && lower.contains("prompt") && !lower.contains("length")
                && !lower.contains("maximum")) {
            promptAsTokens = false;
            version++;
            return Optional
                    .of("The server refuses prompts of token ids; text of about as many tokens is sent from now on.");
        }
        return Optional.empty();
    }

    private boolean mayDrop(Field field, String body) {
        return switch (field) {
            case MIN_TOKENS -> mayDropMinTokens;
            // Not where a server says that either of both is too large.
            case MAX_TOKENS -> body.contains("max_completion_tokens") && body.contains("upported");
            case IGNORE_EOS, CONTINUOUS_USAGE, USAGE, TOP_K, SEED -> true;
        };
    }
}
