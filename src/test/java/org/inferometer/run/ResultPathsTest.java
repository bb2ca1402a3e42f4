package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.inferometer.experiment.PlanFault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ResultPathsTest {
    @TempDir
    private Path folder;

    @Test
    void namesOf300CharactersFailInThePlan() {
        assertThat(ResultPaths.fault(folder, "\u00e4".repeat(200))).isEmpty();
        assertThat(ResultPaths.fault(folder, "\u00e4".repeat(300))).contains(new PlanFault("name",
                "The experiment's name has 300 characters. At most 200 are allowed, as its folder has that name."));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void foldersThatAreTooDeepFailInThePlan() {
        Path deep = folder.resolve(String.join("/", Collections.nCopies(40, "d".repeat(100))));
        assertThat(ResultPaths.fault(deep, "quick"))
                .isEqualTo(Optional.of(new PlanFault("results", "The paths of files in " + deep
                        + " would be too long for this system. Choose a shorter workspace, folder or name.")));
        assertThat(ResultPaths.fault(folder.resolve("missing/deeper"), "quick")).isEmpty();
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void onlyTheLengthOfAPathMakesItTooLong() throws IOException {
        Path loop = folder.resolve("loop");
        Files.createSymbolicLink(loop, loop);
        assertThat(ResultPaths.fault(loop.resolve("results"), "quick")).isEmpty();
        assertThat(ResultPaths.fault(Files.createFile(folder.resolve("file")), "quick")).isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void experimentsOnlyNeedRoomForTheirOwnNames() {
        Path deep = folder.resolve(String.join("/", Collections.nCopies(36, "d".repeat(100))));
        int left = 4_095 - deep.toString().length();
        Path fits = deep.resolve("e".repeat(left - "//2026-11-21_141503_quick//".length() - 120 - 80));
        assertThat(ResultPaths.fault(fits, "quick")).isEmpty();
        assertThat(ResultPaths.fault(fits, "quick-and-longer")).isPresent();
    }

    @Test
    void foldersHaveNamesThatEverySystemTakes() {
        assertThat(
                List.of("quick", "a b:c", "\u00e4\ud83d\ude00", "dots...", "a.b").stream().map(ResultPaths::folderName))
                .containsExactly("quick", "a-b-c", "--", "dots", "a.b");
    }
}
