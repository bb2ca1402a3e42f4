package org.inferometer.units;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// Finds valid names close to a mistyped one, for messages.
public final class NearMisses {
    private static final int SHOWN = 3;
    /// More valid names than this bury the near ones.
    private static final int MOST_BESIDE_A_GUESS = 16;
    /// Longer names are no typing errors, and a comparison of them takes long.
    private static final int LONGEST = 200;

    private NearMisses() {}

    /// At most three candidates within an edit distance of a third of the name's length, nearest first.
    public static List<String> of(String name, Collection<String> candidates) {
        String wanted = LetterCase.lower(name);
        if (wanted.length() > LONGEST) {
            return List.of();
        }
        int limit = Math.max(1, wanted.length() / 3);
        return candidates.stream().filter(candidate -> near(wanted, LetterCase.lower(candidate), limit))
                .sorted(Comparator.comparingInt((String candidate) -> edits(wanted, LetterCase.lower(candidate)))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(SHOWN).toList();
    }

    /// A message with the unknown name, near misses and, unless they are many, the valid names.
    public static String sentence(String kind, String name, Collection<String> candidates) {
        return sentence(kind, name, "", candidates);
    }

    /// The same with another way out before the valid names.
    ///
    /// @param other a sentence; may be empty
    public static String sentence(String kind, String name, String other, Collection<String> candidates) {
        List<String> near = of(name, candidates);
        String guess = near.isEmpty() ? "" : " Did you mean " + String.join(" or ", near) + "?";
        String unknown = "Unknown " + kind + " \"" + OneLine.of(name) + "\"." + guess;
        String valid = near.isEmpty() || candidates.size() <= MOST_BESIDE_A_GUESS
                ? " Valid: " + String.join(", ", candidates) + "." : "";
        return unknown + (other.isEmpty() ? "" : " " + other) + valid;
    }

    private static boolean near(String wanted, String candidate, int limit) {
        return (Math.abs(wanted.length() - candidate.length()) <= limit && edits(wanted, candidate) <= limit)
                || (wanted.length() >= 3 && candidate.startsWith(wanted));
    }

    /// Levenshtein distance: insertions, deletions and substitutions, one each.
    private static int edits(String a, String b) {
        int[] previous = new int[b.length() + 1];
        int[] current = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(substituted, Math.min(previous[j], current[j - 1]) + 1);
            }
            int[] swap = previous;
            previous = current;
            current = swap;
        }
        return previous[b.length()];
    }
}
