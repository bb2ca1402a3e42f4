package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.twin.DesktopScreenshots;
import org.inferometer.ui.twin.DesktopScreenshots.Look;
import org.inferometer.ui.twin.LayoutFaults;
import org.inferometer.units.LongForm;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;

/// Walks every view at the smallest size that is supported, over results that are hard to show. With `-Dinferometer.pictures=FOLDER` it
/// writes a picture of each.
class LayoutOfViewsTest {
    private static final @Nullable String PICTURES = System.getProperty("inferometer.pictures");

    private static final Path WALKS = Path.of("target", "walks");

    @Test
    @LongForm
    void noTextIsCutAndNothingStandsTwice() throws Exception {
        assertThat(faults(new Look(1280, 720, 100))).isEmpty();
    }

    @Test
    void noTextIsCutAtTheLargestSizeOfTexts() throws Exception {
        assertThat(faults(new Look(1280, 800, 150))).isEmpty();
    }

    private Set<String> faults(Look look) throws Exception {
        FxToolkit.registerPrimaryStage();
        // Work behind the window may still write when the walk has ended: the folder stays.
        Path folder = Files.createTempDirectory(Files.createDirectories(WALKS), "walk");
        Set<String> faults = new LinkedHashSet<>();
        Set<String> seen = new LinkedHashSet<>();
        DesktopScreenshots.walk(folder, look, Shade.LIGHT, (scene, name) -> {
            if (PICTURES != null) {
                DesktopScreenshots.write(scene, Path.of(PICTURES).resolve(name + ".png"));
            }
            LayoutFaults.of(scene.getRoot()).stream().filter(seen::add)
                    .forEach(fault -> faults.add(name + ": " + fault));
        });
        return faults;
    }
}
