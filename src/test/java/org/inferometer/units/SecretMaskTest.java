package org.inferometer.units;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretMaskTest {
    /// Codes whose digits are shifted or divided once more are not promised.
    private static final List<String> NOT_PROMISED =
            List.of("rot13 in unicode", "caesar in unicode", "with separators in utf-16", "utf-16 in with separators");

    private static boolean isPromised(String form) {
        boolean divided =
                List.of("spaced", "in groups", "in quotes", "with separators").stream().anyMatch(form::startsWith);
        return !NOT_PROMISED.contains(form)
                && !(divided && (form.endsWith("octal words") || form.endsWith("binary words")));
    }

    @Test
    @Timeout(60)
    void noFormOfAKeyStays() {
        assertThat(missed(43, 15)).isEmpty();
    }

    @Test
    @Tag("endurance")
    void noFormOfManyKeysStays() {
        assertThat(missed(44, Integer.getInteger("inferometer.inputs", 4000) / 100)).isEmpty();
    }

    /// Texts in which a key stays, by the name of its form.
    private static Map<String, String> missed(long seed, int keys) {
        SecretDisguises disguises = new SecretDisguises(seed);
        Map<String, String> missed = new LinkedHashMap<>();
        for (int i = 0; i < keys; i++) {
            String key = disguises.key();
            SecretMask mask = new SecretMask(key);
            List<Map.Entry<String, String>> forms = new ArrayList<>(disguises.single(key).entrySet());
            for (int composed = 0; composed < 20; composed++) {
                forms.add(disguises.composed(key));
            }
            for (Map.Entry<String, String> form : forms) {
                String text = "bad key '" + form.getValue() + "' for tiny";
                if (isPromised(form.getKey()) && mask.removedFrom(text).equals(text)) {
                    missed.put(form.getKey(), key + ": " + text);
                }
            }
        }
        return missed;
    }

    @ParameterizedTest
    @ValueSource(strings = {"6RppZ0mL-7KecBA-ks", "fx-NOprX7-Yz0MccE6", "736b2d414263654b372d",
            "SSKK--aabbCCEEkk77--llMM00zzPPPPrr66", "s.k.-.A.B.c.e.K.7.-.L.m", "s' + 'kA' + 'Bc' + 'eK7' + 'Lm",
            "sierra kilo alpha bravo charlie echo kilo 7 lima mike 0 zulu papa papa romeo 6"})
    void textWithTheKeyInAnotherFormIsLeftOut(String form) {
        assertThat(new SecretMask("sk-ABceK7-Lm0ZppR6").removedFrom("You sent '" + form + "'."))
                .isIn(SecretMask.LEFT_OUT, "You sent '***'.");
    }

    @Test
    void ordinaryTextStays() throws IOException {
        SecretDisguises disguises = new SecretDisguises(5);
        List<SecretMask> masks = Stream.generate(() -> new SecretMask(disguises.key())).limit(20).toList();
        int texts = 0;
        try (Stream<Path> pages = Files.walk(Path.of("docs"))) {
            for (Path page : pages.filter(file -> file.toString().endsWith(".md")).sorted().limit(20).toList()) {
                for (String line : Files.readString(page).split("\n\n")) {
                    SecretMask mask = masks.get(texts++ % masks.size());
                    assertThat(mask.removedFrom(line)).isEqualTo(line);
                }
            }
        }
        assertThat(texts).isGreaterThan(100);
    }

    @Test
    void shortKeyIsFoundAsItIsOnly() {
        SecretMask mask = new SecretMask("EMPTY");
        assertThat(mask.removedFrom("The key empty or E M P T Y, not YTPME, of 454d505459"))
                .isEqualTo("The key *** or ***, not YTPME, of 454d505459");
    }

    @Test
    void keyWithBlanksIsFound() {
        assertThat(new SecretMask("correct horse battery").removedFrom("for Correct Horse Battery."))
                .isEqualTo("for ***.");
    }

    @Test
    @Timeout(60)
    void hostileTextTakesLinearTime() {
        SecretMask mask = new SecretMask("sk-ABceK7-Lm0ZppR6");
        for (String part : List.of("%25", "sk-ABce", "\\u005c", "&amp;", "c2st", "01", "s k ", "AA", "115 ", "=",
                "\u00b7")) {
            String text = part.repeat((1 << 12) / part.length());
            assertThat(mask.removedFrom(text)).hasSizeLessThanOrEqualTo(text.length());
        }
    }

    @Test
    @Timeout(60)
    void textThatIsLongToSearchIsLeftOut() throws IOException {
        SecretMask mask = new SecretMask("sk-ABceK7-Lm0ZppR6");
        assertThat(mask.removedFrom("3a 7f 20 6b ".repeat(1 << 16))).isEqualTo(SecretMask.LEFT_OUT);
        String page = Files.readString(Path.of("docs/servers.md")) + Files.readString(Path.of("docs/metrics.md"));
        String answer = page.substring(0, 1 << 15);
        assertThat(mask.removedFrom(answer)).isEqualTo(answer);
    }

    @Test
    void ordinaryTextStaysThoughTheKeyIsOfWords() throws IOException {
        SecretMask mask = new SecretMask("test-server-token");
        for (String page : List.of("metrics.md", "install.md", "servers.md")) {
            String text = Files.readString(Path.of("docs", page));
            for (int at = 0; at + 240 <= text.length(); at += 960) {
                String part = text.substring(at, at + 240);
                assertThat(mask.removedFrom(part)).isEqualTo(part);
            }
        }
    }
}
