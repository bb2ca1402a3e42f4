package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.inferometer.ui.fx.FileDialogs.FileType;
import org.junit.jupiter.api.Test;

/// The name under which a file of a chosen type is saved.
class FileTypeTest {
    private static final FileType HTML = new FileType("Web page", "*.html");
    private static final FileType MARKDOWN = new FileType("Markdown", "*.md");
    private static final String SUGGESTED = "result.html";
    private static final List<FileType> BOTH = List.of(HTML, MARKDOWN);

    @Test
    void aNameWithTheEndingOfItsTypeStays() {
        assertThat(MARKDOWN.complete(Path.of("a", "report.MD"), SUGGESTED, BOTH)).isEqualTo(Path.of("a", "report.MD"));
    }

    @Test
    void aNameWithoutItGetsItBehindWhateverDotsItHas() {
        assertThat(HTML.complete(Path.of("a", "report"), SUGGESTED, BOTH)).isEqualTo(Path.of("a", "report.html"));
        assertThat(HTML.complete(Path.of("report v1.2"), SUGGESTED, BOTH)).isEqualTo(Path.of("report v1.2.html"));
        assertThat(HTML.complete(Path.of("fp8.continuous"), SUGGESTED, BOTH)).isEqualTo(Path.of("fp8.continuous.html"));
    }

    @Test
    void theChosenTypeReplacesTheSuggestedEnding() {
        assertThat(MARKDOWN.complete(Path.of("a", SUGGESTED), SUGGESTED, BOTH)).isEqualTo(Path.of("a", "result.md"));
        assertThat(HTML.complete(Path.of(SUGGESTED), SUGGESTED, BOTH)).isEqualTo(Path.of(SUGGESTED));
    }

    @Test
    void aTypedEndingStays() {
        assertThat(HTML.complete(Path.of("mine.md"), SUGGESTED, BOTH)).isEqualTo(Path.of("mine.md"));
        assertThat(HTML.complete(Path.of("mine.docx"), SUGGESTED, BOTH)).isEqualTo(Path.of("mine.docx"));
    }
}
