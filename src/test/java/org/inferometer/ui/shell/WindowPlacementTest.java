package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.shell.WindowPlacement.Area;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WindowPlacementTest {
    private static final List<Area> ONE = List.of(new Area(0, 0, 1920, 1080));

    @Test
    void theFirstWindowIsCentred() {
        assertThat(WindowPlacement.FIRST.within(ONE)).isEqualTo(new WindowPlacement(240, 90, 1440, 900, false));
    }

    @Test
    void aWindowOnALostScreenComesBack() {
        assertThat(new WindowPlacement(4000, 300, 1440, 900, false).within(ONE))
                .isEqualTo(new WindowPlacement(240, 90, 1440, 900, false));
    }

    @Test
    void aWindowIsNeverLargerThanItsScreen() {
        assertThat(WindowPlacement.FIRST.within(List.of(new Area(0, 0, 1000, 1000))))
                .isEqualTo(new WindowPlacement(0, 50, 1000, 900, false));
    }

    @Test
    void aWindowThatHangsOverTheEdgeIsPushedIn() {
        assertThat(new WindowPlacement(900, -50, 1280, 800, true).within(ONE))
                .isEqualTo(new WindowPlacement(640, 0, 1280, 800, true));
    }

    @Test
    void whatIsRememberedComesBackAndNonsenseDoesNot(@TempDir Path folder) {
        Settings file = new Settings(folder.resolve("settings.properties"));
        WindowPlacement placement = new WindowPlacement(10, 20, 1300, 820, true);
        placement.remember(file);
        file.save();
        assertThat(WindowPlacement.remembered(new Settings(folder.resolve("settings.properties"))))
                .isEqualTo(placement);
        Settings nonsense = new Settings(Path.of("no-such-folder", "settings"));
        nonsense.put("window", "NaN 1 Infinity x y");
        assertThat(WindowPlacement.remembered(nonsense)).isEqualTo(WindowPlacement.FIRST);
    }
}
