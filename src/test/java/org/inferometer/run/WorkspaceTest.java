package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class WorkspaceTest {
    private static final Path INSTALLATION = Path.of("installation");

    @Test
    void enginesOfTheInstallationAreLookedForAfterTheWorkspacesOwn() {
        assertThat(new Workspace(Path.of("elsewhere"), INSTALLATION).engineFolders())
                .containsExactly(Path.of("elsewhere", "engines"), INSTALLATION.resolve("engines"));
        assertThat(new Workspace(INSTALLATION).engineFolders()).containsExactly(INSTALLATION.resolve("engines"));
    }
}
