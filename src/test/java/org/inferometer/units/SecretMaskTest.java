package org.inferometer.units;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
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
                if (mask.removedFrom(text).equals(text)) {
                    missed.put(form.getKey(), key + ": " + text);
                }
            }
        }
        return missed;
    }

    @ParameterizedTest
    @ValueSource(strings = {"6RppZ0mL-7KecBA-ks", "fx-NOprX7-Yz0MccE6", "736b2d414263654b372d4c6d",
            "SSKK--aabbCCEEkk77--llMM00zzPPPPrr66", "s.k.-.A.B.c.e.K.7.-.L.m", "s' + 'kA' + 'Bc' + 'eK7' + 'Lm"})
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

    @ParameterizedTest
    @ValueSource(strings = {"\u03b1\u03b2\u03b3\u03b4\u03b5\u03b6\u03b7\u03b8\u03b9",
            "\ud83d\ude00\ud83d\ude03\ud83d\ude04\ud83d\ude01\ud83d\ude06", "          ", "tab\tand\u200bblank",
            "Stra\u00dfe\u0130sk-1234", "q"})
    void anyTextCanBeASecret(String secret) {
        SecretMask mask = new SecretMask(secret);
        String text = "You sent '" + secret + "'.";
        assertThat(mask.removedFrom(text)).isEqualTo(secret.isBlank() ? text : "You sent '***'.");
        assertThat(mask.removedFrom("")).isEmpty();
        Map<String, String> variables = Map.of("API_KEY", secret, "OTHER", secret);
        assertThat(new EnvironmentVariables(Map.of(), variables, List.of()).mask().apply("a   b          c"))
                .isEqualTo("a   b          c");
    }

    @Test
    @Timeout(60)
    void longSecretIsFound() {
        String secret = new SecretDisguises(7).key().repeat(700).substring(0, 10_000);
        assertThat(new SecretMask(secret).removedFrom("You sent '" + secret + "'.")).isEqualTo("You sent '***'.");
    }

    @Test
    @Timeout(60)
    void hostileTextTakesLinearTime() {
        SecretMask mask = new SecretMask("sk-ABceK7-Lm0ZppR6");
        String base64 = Base64.getEncoder().encodeToString("sk-ABceK7-Lm0ZppR6".getBytes(StandardCharsets.US_ASCII));
        assertThat(mask.removedFrom(base64.repeat((1 << 20) / base64.length()))).isEqualTo("***");
        for (String part : List.of("%25", "sk-ABce", "\\u005c", "&amp;", "c2st", "01", "s k ", "AA", "115 ", "=",
                "\u00b7", "\u2026", "\ufdfa", "\uff53", "\ufffd", "\u0301\u0316", "0163 ", "01110011")) {
            String text = part.repeat((1 << 16) / part.length());
            assertThat(mask.removedFrom(text)).hasSizeLessThanOrEqualTo(text.length());
        }
    }

    @Test
    @Timeout(20)
    void marksInTheWrongOrderTakeLinearTime() {
        String text = "a" + "\u0301".repeat(500_000) + "\u0316".repeat(500_000);
        assertThat(new SecretMask("sk-ABceK7-Lm0ZppR6").removedFrom(text)).isEqualTo(text);
    }

    @Test
    void longOrdinaryTextStays() throws IOException {
        SecretMask mask = new SecretMask("sk-ABceK7-Lm0ZppR6");
        String page = Files.readString(Path.of("docs/metrics.md"));
        String answer = page.repeat((1 << 18) / page.length());
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
