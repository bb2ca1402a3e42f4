package org.inferometer.options;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.inferometer.units.LetterCase;

/// An option: name, aliases, kind, default, unit and help.
///
/// @param zero what 0 stands for; empty where it is a number like others
public record OptionDescription(String name, List<String> aliases, OptionKind kind, String standard, String unit,
        String help, String zero) {
    private static final Set<String> ABBREVIATIONS = Set.of("api", "gpu", "id", "kv", "slo", "tls", "ttft", "url");

    /// An option of which 0 is a number like others.
    public OptionDescription(String name, List<String> aliases, OptionKind kind, String standard, String unit,
            String help) {
        this(name, aliases, kind, standard, unit, help, "");
    }

    /// The name for people: "max_num_seqs" is "Max num seqs", "enable_prefix_caching" is "Prefix caching", "url" is "URL".
    public String label() {
        String words = Arrays.stream(name.replaceFirst("^enable_", "").split("_"))
                .map(word -> ABBREVIATIONS.contains(word) ? LetterCase.upper(word) : word)
                .collect(Collectors.joining(" "));
        return LetterCase.capitalized(words);
    }

    /// The accepted values: "1 to 64", "true or false", "smart, balanced".
    public String range() {
        return switch (kind) {
            case OptionKind.Whole(long min, long max) -> max == Long.MAX_VALUE ? "at least " + min : min + " to " + max;
            case OptionKind.Decimal(double min, double max) ->
                max >= Long.MAX_VALUE ? "at least " + plain(min) : plain(min) + " to " + plain(max);
            case OptionKind.Flag() -> "true or false";
            case OptionKind.Choice(List<String> words) -> String.join(", ", words);
            case OptionKind.Text() -> "text";
        };
    }

    /// Whether a word is its name or an alias.
    public boolean answersTo(String word) {
        return name.equals(word) || aliases.contains(word);
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%.0f", value) : Double.toString(value);
    }
}
