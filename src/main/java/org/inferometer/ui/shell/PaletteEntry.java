package org.inferometer.ui.shell;

import org.inferometer.ui.fx.Action;
import org.inferometer.units.LetterCase;

/// A line of the command palette.
///
/// @param id names it among the recent ones
/// @param kind "Result", "Preset", or the menu of an action
/// @param detail key of an action, date of a result; may be empty
/// @param unavailable why it cannot be done now; empty while it can
record PaletteEntry(String id, String label, String kind, String detail, String unavailable, Runnable onAction) {
    private static final int NO_MATCH = 0;
    private static final int FOLLOWING = 5;
    private static final int WORD_START = 8;
    private static final int WHOLE_WORD = 12;

    static PaletteEntry of(Action action, String kind, String key) {
        return new PaletteEntry(action.id(), action.label(), kind, key, action.unavailable().getValue(),
                action.onAction());
    }

    /// How well what was typed is found: at least 1, more for whole words; 0 if a word of it is found neither in the label nor as the
    /// beginning of the kind.
    int match(String typed) {
        int sum = 1;
        for (String word : LetterCase.lower(typed).strip().split("\\s+")) {
            int best = Math.max(inLabel(word), LetterCase.lower(kind).startsWith(word) ? word.length() : 0);
            if (best == NO_MATCH && !word.isEmpty()) {
                return NO_MATCH;
            }
            sum += best;
        }
        return sum;
    }

    /// The characters of a word in their order: more where they follow each other and begin words.
    private int inLabel(String word) {
        String here = LetterCase.lower(label);
        int whole = here.indexOf(word);
        if (whole >= 0) {
            return word.length() * WHOLE_WORD + (startsWord(here, whole) ? WORD_START : 0);
        }
        int score = 0;
        int before = -2;
        for (int i = 0; i < word.length(); i++) {
            int at = next(here, word.charAt(i), before + 1);
            if (at < 0) {
                return NO_MATCH;
            }
            score += 1 + (at == before + 1 ? FOLLOWING : 0) + (startsWord(here, at) ? WORD_START : 0);
            before = at;
        }
        return score;
    }

    /// The next one that begins a word, else the next one.
    private static int next(String text, char sign, int from) {
        int least = Math.max(0, from);
        if (least < text.length() && text.charAt(least) == sign) {
            return least;
        }
        for (int at = text.indexOf(sign, least); at >= 0; at = text.indexOf(sign, at + 1)) {
            if (startsWord(text, at)) {
                return at;
            }
        }
        return text.indexOf(sign, least);
    }

    private static boolean startsWord(String text, int at) {
        return at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1));
    }
}
