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
    private static final List<FileType> BOTH = List.of(HTML, MARKDOWN);

    @Test
    void aNameWithTheEndingOfItsTypeStays() {
        assertThat(MARKDOWN.complete(Path.of("a", "report.MD"), BOTH)).isEqualTo(Path.of("a", "report.MD"));
    }

    @Test
    void aNameWithoutItGetsItBehindWhateverDotsItHas() {
        assertThat(HTML.complete(Path.of("a", "report"), BOTH)).isEqualTo(Path.of("a", "report.html"));
        assertThat(HTML.complete(Path.of("report v1.2"), BOTH)).isEqualTo(Path.of("report v1.2.html"));
    }

    @Test
    void theEndingOfAnotherTypeGivesWay() {
        assertThat(MARKDOWN.complete(Path.of("report.html"), BOTH)).isEqualTo(Path.of("report.md"));
    }
}
