package org.inferometer.results.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class SavedLookTest {
    @Test
    void longListsAndTextsAreCut() {
        List<String> names = Collections.nCopies(5000, "n");
        String text = "x".repeat(5000);
        SavedLook.ChartLook chart = new SavedLook.ChartLook(text, null, null, names);
        assertThat(chart).isEqualTo(new SavedLook.ChartLook("", null, null, names.subList(0, 200)));
        assertThat(new SavedLook.PageLook(text, Collections.nCopies(5000, chart), List.of(), text))
                .isEqualTo(new SavedLook.PageLook("", Collections.nCopies(200, chart), List.of(), ""));
    }

    @Test
    void missingPartsAreEmpty() {
        JsonMapper mapper = new JsonMapper();
        assertThat(mapper.readValue("{}", SavedLook.class)).isEqualTo(SavedLook.NONE);
        assertThat(mapper.readValue("{\"page\":{\"charts\":[null,{}]},\"comparison\":{},\"timeline\":{}}",
                SavedLook.class))
                .isEqualTo(new SavedLook(new SavedLook.PageLook("",
                        List.of(new SavedLook.ChartLook("", null, null, List.of())), List.of(), ""),
                        SavedLook.ComparisonLook.NONE, SavedLook.TimelineLook.NONE));
    }
}
