package org.inferometer.prompting.template;

/// Finds a part in a text in linear time (Knuth, Morris and Pratt): `indexOf` compares almost every pair for `aaa…` in `aaa…b`.
final class Search {
    private final String text;
    private final String part;
    private final int[] borders; // [part characters]: length of the longest border of each beginning

    /// @param part not empty
    Search(Budget budget, String text, String part) {
        budget.read((long) text.length() + part.length());
        budget.bytes((long) Integer.BYTES * part.length());
        this.text = text;
        this.part = part;
        borders = new int[part.length()];
        for (int i = 1, matched = 0; i < borders.length; i++) {
            matched = matched(matched, part.charAt(i));
            borders[i] = matched;
        }
    }

    /// The characters of the part that match after one more character.
    private int matched(int before, char next) {
        int matched = before;
        while (matched > 0 && (matched == part.length() || part.charAt(matched) != next)) {
            matched = borders[matched - 1];
        }
        return part.charAt(matched) == next ? matched + 1 : matched;
    }

    /// Where the part begins, at or after a place; −1 if nowhere.
    int next(int from) {
        int matched = 0;
        for (int i = from; i < text.length(); i++) {
            matched = matched(matched, text.charAt(i));
            if (matched == part.length()) {
                return i + 1 - part.length();
            }
        }
        return -1;
    }

    /// How often the part occurs without overlap.
    int count() {
        int found = 0;
        for (int at = next(0); at >= 0; at = next(at + part.length())) {
            found++;
        }
        return found;
    }
}
