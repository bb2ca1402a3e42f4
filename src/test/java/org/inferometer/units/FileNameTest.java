package org.inferometer.units;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class FileNameTest {
    private static List<String> refused(List<String> names) {
        return names.stream().filter(name -> !FileName.isPortable(name)).toList();
    }

    @Test
    void devicesOfWindowsAreRefusedInAnyCaseAndWithEndings() {
        for (String device : List.of("CON", "PRN", "AUX", "NUL", "COM0", "COM1", "COM9", "COM\u00b9", "COM\u00b3",
                "LPT1", "LPT\u00b2", "CONIN$", "CONOUT$", "CLOCK$")) {
            List<String> names = List.of(device, device.toLowerCase(Locale.ROOT), device + ".txt", device + ".tar.gz",
                    device + " .json", device.charAt(0) + device.substring(1).toLowerCase(Locale.ROOT));
            assertThat(refused(names)).isEqualTo(names);
        }
    }

    @Test
    void ordinaryNamesArePortable() {
        assertThat(refused(List.of("experiment.json", "CONSOLE", "com10", "COM", "auxiliary.txt", "run-000_tiny_1",
                "f\u00fcr \ud83d\ude00", "a.b.c", "nul-1", "x".repeat(255)))).isEmpty();
    }

    @Test
    void namesThatSomeSystemChangesAreRefused() {
        List<String> names = List.of("", ".hidden", "a.", "a ", "a/b", "a\\b", "a:b", "a?", "a\u0000b", "a\u202eb",
                "\u00fc".repeat(128));
        assertThat(refused(names)).isEqualTo(names);
    }

    @Test
    void lastNamesAreThoseOfAnySystem() {
        assertThat(List.of("/home/me/run-000", "C:\\results\\run-000\\", "a/b//", "name", "/", "").stream()
                .map(FileName::last)).containsExactly("run-000", "run-000", "b", "name", "", "");
    }

    @Test
    void namesThatDifferInCaseOrUnicodeFormHaveOneKey() {
        assertThat(List.of("STRASSE", "Stra\u00dfe", "strasse").stream().map(FileName::key).distinct()).hasSize(1);
        assertThat(FileName.key("\u00fcber")).isEqualTo(FileName.key("U\u0308BER")).isNotEqualTo(FileName.key("uber"));
    }
}
