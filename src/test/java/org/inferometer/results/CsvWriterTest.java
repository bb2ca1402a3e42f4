package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvWriterTest {
    private static final List<String> TEXTS =
            List.of("-1+cmd|' /C calc'!A0", "=1", "\"=1", "'=1", "＝1", "a;=1", "a; b", "-1", "a,\"b\"", "it's", "");
    @TempDir
    Path folder;

    @Test
    void formulaOfAServerIsTextAndReadsAsWritten() throws IOException {
        Path file = folder.resolve("requests.csv");
        try (CsvWriter out = new CsvWriter(file, List.of("n", "reason"))) {
            for (String text : TEXTS) {
                out.number(1).text(text).endRow();
            }
        }
        assertThat(Files.readString(file))
                .isEqualTo("n,reason\n1,'-1+cmd|' /C calc'!A0\n1,'=1\n1,\"'\"\"=1\"\n1,''=1\n1,'＝1\n"
                        + "1,\"a;'=1\"\n1,\"a; b\"\n1,-1\n1,\"a,\"\"b\"\"\"\n1,it's\n1,\n");
        List<String> read = new ArrayList<>();
        try (CsvReader in = new CsvReader(file, List.of("n", "reason"), 100)) {
            while (in.next()) {
                read.add(in.text(1));
            }
        }
        assertThat(read).isEqualTo(TEXTS);
    }
}
