package org.inferometer.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ExperimentFieldsTest {
    @Test
    void documentHasEveryField() throws Exception {
        List<String> rows = ExperimentFields.ALL.stream().map(ExperimentFieldsTest::row).toList();
        assertThat(Files.readString(Path.of("docs/experiments.md")).lines().filter(rows::contains))
                .containsExactlyElementsOf(rows);
    }

    private static String row(Field<ExperimentSpec, ?> field) {
        String unit = field.type().unit().isEmpty() ? "" : " (" + field.type().unit() + ")";
        return "| " + code(field.option()) + " | " + code(field.key()) + " | " + field.type().expected() + unit + " | "
                + ExperimentFields.standard(field) + " |";
    }

    private static String code(@Nullable String name) {
        return name == null ? "" : "`" + name + "`";
    }

    @Test
    void namesAreUniqueAndHelpIsASentence() {
        assertThat(Stream.concat(ExperimentFields.ALL.stream(), WorkloadFields.ALL.stream()))
                .allSatisfy(field -> assertThat(field.help()).endsWith("."));
        assertThat(ExperimentFields.ALL).extracting(Field::name).doesNotHaveDuplicates();
        assertThat(WorkloadFields.ALL).extracting(Field::name).doesNotHaveDuplicates();
    }
}
