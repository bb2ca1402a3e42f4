package org.inferometer.architecture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Whether a pattern of `java.util.regex` can need more than linear time or a deep stack.
///
/// A match takes polynomial time if two places of the pattern, p before q, can read one word so that p stays, p reaches q, and q stays:
/// then a text of such words can be divided in as many ways as it has words. Of a search, the place before the pattern is one that reads
/// every character. Source: Weber and Seidl, "On the degree of ambiguity of finite automata", 1991.
final class BacktrackingCheck {
    private static final String OTHERS = "\u2028\u03a9\u0436\u6f22\u2026\u2581\u200b\u0660\uffff";
    private static final int SAMPLES = 256 + OTHERS.length();
    private static final int MOST_REPEATED = 1_000;

    private final String pattern;
    private final int flags;
    private int at;
    private boolean deep;
    private final List<Place> places = new ArrayList<>();
    private final Map<String, BitSet> known = new HashMap<>();

    /// One character of the pattern.
    private static final class Place {
        final BitSet accepts;
        final List<Place> next = new ArrayList<>();
        BitSet notAfter = new BitSet();
        boolean ends;
        boolean possessive;

        Place(BitSet accepts) {
            this.accepts = accepts;
        }
    }

    /// Where a part begins and ends.
    private record Part(Set<Place> first, Set<Place> last, boolean empty) {
        static final Part NOTHING = new Part(Set.of(), Set.of(), true);
    }

    private BacktrackingCheck(String pattern, int flags) {
        this.pattern = pattern;
        this.flags = flags;
    }

    /// @param whole whether it must match a whole text; otherwise it is searched
    /// @return the fault; empty if time is linear and the stack is flat
    static Optional<String> fault(String pattern, int flags, boolean whole) {
        if (!pattern.contains("*") && !pattern.contains("+") && !pattern.contains("{")) {
            return Optional.empty();
        }
        BacktrackingCheck check = new BacktrackingCheck(pattern, flags);
        Part all = check.alternatives();
        if (check.deep) {
            return Optional.of("repeats a group without limit");
        }
        all.last.forEach(place -> place.ends = !whole);
        if (!whole) {
            Place before = new Place(any());
            before.next.add(before);
            before.next.addAll(all.first);
            check.places.add(before);
        }
        return check.isAmbiguous() ? Optional.of("backtracks") : Optional.empty();
    }

    private static BitSet any() {
        BitSet any = new BitSet();
        any.set(0, SAMPLES);
        return any;
    }

    private static String sample(int index) {
        return index < 256 ? String.valueOf((char) index) : OTHERS.substring(index - 256, index - 255);
    }

    private BitSet accepts(String one) {
        return known.computeIfAbsent(one, this::sampled);
    }

    private BitSet sampled(String one) {
        Pattern compiled = Pattern.compile(one, flags);
        BitSet accepts = new BitSet();
        for (int i = 0; i < SAMPLES; i++) {
            accepts.set(i, compiled.matcher(sample(i)).matches());
        }
        return accepts;
    }

    private char peek() {
        return at < pattern.length() ? pattern.charAt(at) : 0;
    }

    private Part alternatives() {
        Part all = sequence();
        while (peek() == '|') {
            at++;
            Part next = sequence();
            all = new Part(union(all.first, next.first), union(all.last, next.last), all.empty || next.empty);
        }
        return all;
    }

    private static Set<Place> union(Set<Place> a, Set<Place> b) {
        Set<Place> both = new HashSet<>(a);
        both.addAll(b);
        return both;
    }

    private Part sequence() {
        Part all = Part.NOTHING;
        BitSet notAfter = new BitSet();
        while (at < pattern.length() && peek() != '|' && peek() != ')') {
            BitSet excluded = assertion();
            if (excluded != null) {
                notAfter.or(excluded);
                continue;
            }
            int from = places.size();
            Part next = repeated();
            for (Place place : next.first) {
                place.notAfter.or(notAfter);
            }
            if (places.size() > from) {
                notAfter = new BitSet();
            }
            all = joined(all, next);
        }
        return all;
    }

    private static Part joined(Part a, Part b) {
        a.last.forEach(place -> place.next.addAll(b.first));
        return new Part(a.empty ? union(a.first, b.first) : a.first, b.empty ? union(a.last, b.last) : b.last,
                a.empty && b.empty);
    }

    /// Reads an assertion about what is before it.
    ///
    /// @return characters that cannot be before it; null if there is no such assertion
    private @Nullable BitSet assertion() {
        if (peek() == '^' || pattern.startsWith("\\A", at)) {
            boolean ofLine = peek() == '^' && ((flags & Pattern.MULTILINE) != 0 || pattern.startsWith("(?m)"));
            at += peek() == '^' ? 1 : 2;
            BitSet all = any();
            all.set('\n', !ofLine);
            return all;
        }
        if (pattern.startsWith("\\b", at)) {
            at += 2;
            // Before letters; where others follow it excludes nothing here.
            return accepts("\\w");
        }
        if (pattern.startsWith("(?<!", at)) {
            int end = closing();
            String inner = pattern.substring(at + 4, end);
            at = end + 1;
            boolean single = inner.startsWith("[") && inner.indexOf(']') == inner.length() - 1;
            return single ? accepts(inner) : new BitSet();
        }
        return null;
    }

    private int closing() {
        int depth = 0;
        for (int i = at; i < pattern.length(); i++) {
            switch (pattern.charAt(i)) {
                case '\\' -> i++;
                case '[' -> i = endOfClass(i) - 1;
                case '(' -> depth++;
                case ')' -> {
                    if (--depth == 0) {
                        return i;
                    }
                }
                default -> {}
            }
        }
        throw new IllegalArgumentException(pattern);
    }

    private int endOfClass(int from) {
        int depth = 0;
        for (int i = from; i < pattern.length(); i++) {
            switch (pattern.charAt(i)) {
                case '\\' -> i++;
                case '[' -> depth++;
                case ']' -> {
                    if (--depth == 0) {
                        return i + 1;
                    }
                }
                default -> {}
            }
        }
        throw new IllegalArgumentException(pattern);
    }

    private Part repeated() {
        int from = places.size();
        int begin = at;
        Part one = atom();
        int end = at;
        int most = 1;
        boolean none = false;
        char sign = peek();
        if (sign == '*' || sign == '+' || sign == '?') {
            at++;
            most = sign == '?' ? 1 : Integer.MAX_VALUE;
            none = sign != '+';
        } else if (sign == '{') {
            int close = pattern.indexOf('}', at);
            String[] bounds = pattern.substring(at + 1, close).split(",", -1);
            most = bounds.length == 1 ? Integer.parseInt(bounds[0]) : bounds[1].isEmpty() ? Integer.MAX_VALUE
                    : Integer.parseInt(bounds[1]);
            none = bounds[0].equals("0");
            at = close + 1;
        } else {
            return one;
        }
        boolean possessive = peek() == '+';
        at += possessive || peek() == '?' ? 1 : 0;
        boolean single = places.size() == from + 1 && one.first.equals(one.last) && !one.empty;
        if (most > MOST_REPEATED) {
            deep |= !single && !isFixed(pattern.substring(begin, end));
            one.last.forEach(place -> place.next.addAll(one.first));
            if (possessive && single) {
                places.get(from).possessive = true;
            }
        } else if (most > 1 && !single) {
            int after = at;
            at = begin;
            Part again = atom();
            at = after;
            Part both = joined(one, new Part(again.first, again.last, true));
            return new Part(both.first, both.last, none || one.empty);
        }
        return new Part(one.first, one.last, none || one.empty);
    }

    /// Java repeats a group without a stack if all that it matches has one length.
    private static boolean isFixed(String group) {
        return group.startsWith("(") && group.substring(group.startsWith("(?") ? group.indexOf(':') + 1 : 1).chars()
                .noneMatch(letter -> "*+?{|".indexOf(letter) >= 0);
    }

    private Part atom() {
        char first = peek();
        if (first == '(') {
            return group();
        }
        int from = at;
        if (first == '$') {
            at++;
            return dead();
        }
        if (first == '[') {
            at = endOfClass(at);
        } else if (first == '\\') {
            char escaped = pattern.charAt(at + 1);
            if ("zZGB".indexOf(escaped) >= 0) {
                at += 2;
                return dead();
            }
            if (escaped == 'Q') {
                int end = pattern.indexOf("\\E", at);
                String literal = pattern.substring(at + 2, end < 0 ? pattern.length() : end);
                at = end < 0 ? pattern.length() : end + 2;
                Part all = Part.NOTHING;
                for (char letter : literal.toCharArray()) {
                    all = joined(all, place(accepts(Pattern.quote(String.valueOf(letter)))));
                }
                return all;
            }
            if (Character.isDigit(escaped) && escaped != '0') {
                throw new IllegalArgumentException("a back reference in " + pattern);
            }
            at += escaped == 'p' || escaped == 'P' ? pattern.indexOf('}', at) + 1 - at : escaped == 'u' ? 6 : 2;
        } else {
            at++;
        }
        String one = pattern.substring(from, at);
        return one.equals("\\R") ? place(accepts("[\\n\\r\\u2028]")) : place(accepts(one));
    }

    private Part place(BitSet accepts) {
        Place place = new Place(accepts);
        places.add(place);
        return new Part(Set.of(place), Set.of(place), false);
    }

    /// A place that no text passes: what is before it can fail. It may be passed without reading.
    private Part dead() {
        Place dead = new Place(new BitSet());
        places.add(dead);
        return new Part(Set.of(dead), Set.of(dead), false);
    }

    private Part group() {
        boolean looks =
                pattern.startsWith("(?=", at) || pattern.startsWith("(?!", at) || pattern.startsWith("(?<=", at);
        int open = at;
        if (pattern.startsWith("(?<", at) && !looks) {
            at = pattern.indexOf('>', at) + 1;
        } else if (pattern.startsWith("(?", at)) {
            at += looks ? pattern.charAt(at + 2) == '<' ? 4 : 3 : 2;
            while (!looks && ":)>".indexOf(peek()) < 0) {
                at++;
            }
            if (!looks && peek() == ')') {
                at++; // flags alone
                return Part.NOTHING;
            }
            at += looks ? 0 : 1;
        } else {
            at++;
        }
        Part inner = alternatives();
        if (peek() != ')') {
            throw new IllegalArgumentException(pattern + " at " + open);
        }
        at++;
        if (looks) {
            // What it reads does not count as read, and it may fail after it.
            Part fails = dead();
            joined(inner, fails);
            return new Part(union(inner.first, fails.first), Set.of(), true);
        }
        return inner;
    }

    private boolean isAmbiguous() {
        List<Place> loops = places.stream().filter(this::isOnCycle).toList();
        for (Place p : loops) {
            for (Place q : loops) {
                // A search that may end at a place never takes back what it read.
                if (p != q && !q.ends && pumps(p, q)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isOnCycle(Place place) {
        Set<Place> seen = new HashSet<>();
        Deque<Place> open = new ArrayDeque<>(place.next);
        while (!open.isEmpty()) {
            Place next = open.pop();
            if (next == place) {
                return true;
            }
            if (seen.add(next)) {
                open.addAll(next.next);
            }
        }
        return false;
    }

    private record Triple(Place first, Place second, Place third) {}

    private static boolean pumps(Place p, Place q) {
        Set<Triple> seen = new HashSet<>();
        Deque<Triple> open = new ArrayDeque<>(List.of(new Triple(p, p, q)));
        Triple wanted = new Triple(p, q, q);
        while (!open.isEmpty()) {
            Triple now = open.pop();
            BitSet before = (BitSet) now.first.accepts.clone();
            before.and(now.second.accepts);
            before.and(now.third.accepts);
            for (Place first : now.first.next) {
                for (Place second : now.second.next) {
                    for (Place third : now.third.next) {
                        BitSet common = read(before, now.first, first);
                        common.and(read(before, now.second, second));
                        common.and(read(before, now.third, third));
                        Triple next = new Triple(first, second, third);
                        if (!common.isEmpty() && seen.add(next)) {
                            if (next.equals(wanted)) {
                                return true;
                            }
                            open.add(next);
                        }
                    }
                }
            }
        }
        return false;
    }

    /// The characters with which one place follows another.
    private static BitSet read(BitSet before, Place from, Place to) {
        BitSet possible = (BitSet) before.clone();
        possible.andNot(to.notAfter);
        BitSet read = (BitSet) to.accepts.clone();
        if (from != to && possible.isEmpty()) {
            read.clear();
        }
        if (from != to && from.possessive) {
            read.andNot(from.accepts);
        }
        return read;
    }
}
