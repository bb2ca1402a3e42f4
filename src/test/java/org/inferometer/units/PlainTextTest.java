package org.inferometer.units;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class PlainTextTest {
    private final JsonMapper json = JsonMapper.builder().build();

    @Test
    void unsafeCharactersBecomeVisibleOrSpaces() {
        assertThat(PlainText.of("a\u001b[2Jb\u202ec\u00add\r\n\te\u2028f\ud800g\ufeff\u0085 \udb40\udc41!"))
                .isEqualTo("a\ufffd[2Jb\ufffdc\ufffdd   e f\ufffdg\ufffd  \ufffd!");
    }

    @Test
    void plainTextIsTheSameObject() {
        String text = "Größe · 日本 𝄞 \"quoted\" \ufffd";
        assertThat(PlainText.of(text)).isSameAs(text);
    }

    @Test
    void stringsAndNamesOfJsonBecomePlain() {
        assertThat(PlainJson.of(json.readTree("{\"a\\u001b\":[\"x\\ny\",{\"b\":\"\\u202e\"}],\"n\":1.5}")).toString())
                .isEqualTo("{\"a\ufffd\":[\"x y\",{\"b\":\"\ufffd\"}],\"n\":1.5}");
    }

    @Test
    void jsonWithEscapesOrOtherLettersIsInDoubt() {
        assertThat(plain("{\"a\": \"b\"}\n")).isTrue();
        assertThat(plain("\"\\u001b\"")).isFalse();
        assertThat(plain("\"\u202e\"")).isFalse();
        assertThat(plain("\"\u007f\"")).isFalse();
    }

    private static boolean plain(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return PlainJson.isPlain(bytes, 0, bytes.length);
    }
}
