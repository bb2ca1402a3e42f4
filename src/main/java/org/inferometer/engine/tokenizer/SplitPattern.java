package org.inferometer.engine.tokenizer;

/// Whether a pattern that splits texts tries each place in time linear in the text, and matches a character at least. Published patterns do.
///
/// Refused are repeated groups with choices or repetitions, a third repetition in a sequence, anything required after the second, many
/// choices in a row, and what is not known here, such as back references. The native library would end the process after ten million
/// steps at one place.
final class SplitPattern {
    /// Repetitions up to this many count as no repetition.
    private static final int FEW = 16;
    private static final int MOST_CHARACTERS = 4_096;
    /// Published patterns have at most 40.
    private static final long MOST_WAYS = 256;
    private static final int DEEPEST = 20;

    private final String pattern;
    private int at;
    private int depth;

    /// What a part has.
    ///
    /// @param repetitions without limit, the most on one way through it
    /// @param simple whether it is one way without repetitions
    /// @param assertion whether it reads nothing
    /// @param empty whether it may read nothing
    /// @param ways through it, each repetition without limit counted once
    private record Part(int repetitions, boolean simple, boolean assertion, boolean empty, long ways) {
        static final Part CHARACTER = new Part(0, true, false, false, 1);
        static final Part ASSERTION = new Part(0, true, true, true, 1);
    }

    /// A pattern that is not accepted.
    private static final class UnboundedException extends Exception {
        private static final long serialVersionUID = 1L;

        UnboundedException() {
            super(null, null, false, false);
        }
    }

    private SplitPattern(String pattern) {
        this.pattern = pattern;
    }

    static boolean isBounded(String pattern) {
        try {
            SplitPattern read = new SplitPattern(pattern);
            if (pattern.length() > MOST_CHARACTERS) {
                return false;
            }
            return !read.alternatives().empty && read.at == pattern.length();
        } catch (UnboundedException | NumberFormatException | IndexOutOfBoundsException e) {
            return false;
        }
    }

    private boolean isAt(char letter) {
        return at < pattern.length() && pattern.charAt(at) == letter;
    }

    private Part alternatives() throws UnboundedException {
        require(++depth <= DEEPEST);
        Part first = sequence();
        int repetitions = first.repetitions;
        boolean simple = first.simple;
        boolean empty = first.empty;
        long ways = first.ways;
        while (isAt('|')) {
            at++;
            Part next = sequence();
            repetitions = Math.max(repetitions, next.repetitions);
            simple = false;
            empty |= next.empty;
            ways += next.ways;
        }
        depth--;
        require(ways <= MOST_WAYS);
        return new Part(repetitions, simple, false, empty, ways);
    }

    private Part sequence() throws UnboundedException {
        int repetitions = 0;
        boolean simple = true;
        boolean empty = true;
        long ways = 1;
        while (at < pattern.length() && !isAt('|') && !isAt(')')) {
            Part part = atom();
            Count count = count();
            int least = count.least;
            long most = count.most;
            boolean repeated = most > FEW;
            require(part.simple || most == 1);
            require(repetitions < 2 || (least == 0 && !repeated && !part.assertion && part.repetitions == 0));
            repetitions += part.repetitions + (repeated ? 1 : 0);
            require(repetitions <= 2);
            simple &= part.simple && least == 1 && most == 1;
            empty &= part.empty || least == 0;
            ways *= repeated ? 1 : part.simple ? most - least + 1 : part.ways + 1 - least;
            require(least <= most && ways <= MOST_WAYS);
        }
        return new Part(repetitions, simple, false, empty, ways);
    }

    private record Count(int least, long most) {}

    /// How often the part before is read.
    private Count count() throws UnboundedException {
        int least = 1;
        long most = 1;
        boolean inBraces = isAt('{');
        if (isAt('*') || isAt('+') || isAt('?')) {
            least = isAt('+') ? 1 : 0;
            most = isAt('?') ? 1 : Integer.MAX_VALUE;
            at++;
        } else if (inBraces) {
            int close = pattern.indexOf('}', at);
            String[] bounds = pattern.substring(at + 1, close).split(",", 2);
            least = bounds[0].isEmpty() ? 0 : Integer.parseInt(bounds[0]);
            most = bounds.length == 1 ? least : bounds[1].isEmpty() ? Integer.MAX_VALUE : Integer.parseInt(bounds[1]);
            at = close + 1;
        }
        // Behind braces, the library reads these as a second repetition.
        if ((least != 1 || most != 1) && !inBraces && (isAt('?') || isAt('+'))) {
            at++;
        }
        require(!isAt('*') && !isAt('+') && !isAt('?') && !isAt('{'));
        return new Count(least, most);
    }

    private Part atom() throws UnboundedException {
        char first = pattern.charAt(at);
        switch (first) {
            case '(' -> {
                return group();
            }
            case '[' -> at = endOfClass();
            case '\\' -> {
                char escaped = pattern.charAt(at + 1);
                require("kgGKXR123456789".indexOf(escaped) < 0);
                boolean property = (escaped == 'p' || escaped == 'P' || escaped == 'x') && at + 2 < pattern.length()
                        && pattern.charAt(at + 2) == '{';
                at = property ? pattern.indexOf('}', at) + 1 : at + 2;
                require(at > 0);
                return "bBAzZ".indexOf(escaped) >= 0 ? Part.ASSERTION : Part.CHARACTER;
            }
            case '^', '$' -> {
                at++;
                return Part.ASSERTION;
            }
            case '*', '+', '?' -> throw new UnboundedException();
            default -> at++;
        }
        return Part.CHARACTER;
    }

    private Part group() throws UnboundedException {
        boolean assertion = pattern.startsWith("(?=", at) || pattern.startsWith("(?!", at);
        if (assertion || pattern.startsWith("(?:", at) || pattern.startsWith("(?>", at)) {
            at += 3;
        } else if (pattern.startsWith("(?i:", at)) {
            at += 4;
        } else if (pattern.startsWith("(?<=", at) || pattern.startsWith("(?<!", at)) {
            assertion = true;
            at += 4;
        } else {
            require(!pattern.startsWith("(?", at));
            at++;
        }
        Part inner = alternatives();
        require(isAt(')'));
        at++;
        return new Part(inner.repetitions, inner.simple, assertion, assertion || inner.empty, inner.ways);
    }

    /// Classes that the library may end elsewhere are refused: a bracket that closes at once, names in colons.
    private int endOfClass() throws UnboundedException {
        int open = 0;
        for (int i = at; i < pattern.length(); i++) {
            switch (pattern.charAt(i)) {
                case '\\' -> i++;
                case '[' -> {
                    open++;
                    require(!pattern.startsWith("]", i + 1) && !pattern.startsWith("^]", i + 1)
                            && !pattern.startsWith(":", i + 1));
                }
                case ']' -> {
                    if (--open == 0) {
                        return i + 1;
                    }
                }
                default -> {}
            }
        }
        throw new UnboundedException();
    }

    private static void require(boolean holds) throws UnboundedException {
        if (!holds) {
            throw new UnboundedException();
        }
    }
}
