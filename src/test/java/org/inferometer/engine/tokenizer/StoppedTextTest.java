package org.inferometer.engine.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class StoppedTextTest {
    private static String shown(List<String> stops, String... parts) {
        StoppedText text = new StoppedText(stops);
        StringBuilder shown = new StringBuilder();
        for (String part : parts) {
            if (!text.isStopped()) {
                shown.append(text.next(part)).append('|');
            }
        }
        return shown.append(text.isStopped() ? "stop" : text.rest()).toString();
    }

    @Test
    void whatMayBeginAStopTextIsHeldBack() {
        assertThat(shown(List.of("###"), "a#", "#", "b##", "#c")).isEqualTo("a||##b|" + "|stop");
        assertThat(shown(List.of("###"), "a#", "#")).isEqualTo("a||##");
        assertThat(shown(List.of(), "a", "b")).isEqualTo("a|b|");
        assertThat(shown(List.of("end", "no"), "an en", "d no")).isEqualTo("an ||stop");
        assertThat(shown(List.of("aab"), "aaa", "b")).isEqualTo("a||stop");
    }

    /// Two letters make stop texts and their beginnings frequent.
    @Test
    void textUpToTheFirstStopTextIsShown() {
        RandomGenerator random = new SplittableRandom(3);
        for (int i = 0; i < 3000; i++) {
            String whole = letters(random, 12);
            List<String> stops = List.of(letters(random, 1 + random.nextInt(4)), letters(random, 3));
            StoppedText text = new StoppedText(stops);
            StringBuilder shown = new StringBuilder();
            for (int at = 0; at < whole.length() && !text.isStopped(); at++) {
                shown.append(text.next(whole.substring(at, at + 1)));
            }
            shown.append(text.rest());
            // The text ends where the first stop text is whole.
            int end = stops.stream().filter(whole::contains).mapToInt(stop -> whole.indexOf(stop) + stop.length()).min()
                    .orElse(-1);
            String expected = end < 0 ? whole
                    : stops.stream().filter(stop -> whole.startsWith(stop, end - stop.length()))
                            .map(stop -> whole.substring(0, end - stop.length()))
                            .min(java.util.Comparator.comparingInt(String::length)).orElseThrow();
            assertThat(shown).as("%s of %s", stops, whole).hasToString(expected);
        }
    }

    private static String letters(RandomGenerator random, int length) {
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < length; i++) {
            letters.append((char) ('a' + random.nextInt(2)));
        }
        return letters.toString();
    }
}
