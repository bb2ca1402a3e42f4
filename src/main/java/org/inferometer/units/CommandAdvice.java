package org.inferometer.units;

import java.util.regex.Pattern;

/// The part of a sentence that names an action of the command line. Records, reports and the command line show it; the window names its
/// own action in its place.
@LinearPatterns("A pattern is a fixed text, and what must not stand beside it.")
public enum CommandAdvice {
    /// The ceiling of the load generator is not known.
    SELF_CHECK("Run selfcheck once on this machine."),
    /// Two sides are measured in one experiment.
    AGAINST("(run --against)"),
    /// The variation between experiments is learned.
    VARIATION("(selfcheck --aa)"),
    /// Requests arrive at a rate.
    RATE("(--rate, or requests a second)"),
    /// The quality of an engine is measured.
    QUALITY("(see engines quality)"),
    /// An engine is built. Takes its name.
    BUILD("with \"inferometer engines build %s\""),
    /// What an interrupted build left is deleted.
    DELETE_KEPT("with \"inferometer results prune --yes\"");

    private final String words;
    private final Pattern pattern;

    CommandAdvice(String words) {
        this.words = words;
        pattern = Pattern.compile(Pattern.quote(words).replace("%s", "\\E[^\"]+\\Q"));
    }

    /// As sentences have it.
    public String words() {
        return words;
    }

    /// The same with a name in it.
    public String words(String name) {
        return words.formatted(name);
    }

    /// Finds it in a sentence, with any name.
    public Pattern pattern() {
        return pattern;
    }
}
