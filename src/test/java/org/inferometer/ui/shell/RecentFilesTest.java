package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javafx.scene.control.MenuBar;
import javafx.scene.control.MenuItem;
import org.inferometer.ui.fx.Action;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.shell.RecentFiles.RecentFile;
import org.inferometer.ui.shell.RecentFiles.RecentMenu;
import org.inferometer.ui.twin.InlineUi;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class RecentFilesTest {
    private final Path folder;
    private final Settings settings;
    private final RecentFiles recent;

    RecentFilesTest(@TempDir Path folder) {
        this.folder = folder.toAbsolutePath();
        settings = new Settings(folder.resolve("settings.properties"));
        recent = again();
    }

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private RecentFiles again() {
        return new RecentFiles(settings, new InlineUi().work());
    }

    private List<RecentFile> there(String... names) {
        return List.of(names).stream().map(name -> new RecentFile(folder.resolve(name), true)).toList();
    }

    @Test
    void latestTenStandOnceAndAreKept() {
        IntStream.rangeClosed(1, 12).forEach(i -> recent.add(folder.resolve("r" + i)));
        recent.add(folder.resolve("x").resolve("..").resolve("r7"));
        List<RecentFile> latest = there("r7", "r12", "r11", "r10", "r9", "r8", "r6", "r5", "r4", "r3");
        assertThat(recent.files()).isEqualTo(latest);
        assertThat(again().files()).isEqualTo(latest);
        recent.clear();
        assertThat(again().files()).isEmpty();
    }

    @Test
    void damagedSettingsGiveNoEntry() {
        settings.put("recent-files", "not/absolute\n\n\0\n" + folder.resolve("a"));
        assertThat(again().files()).isEqualTo(there("a"));
    }

    @Test
    void missingFilesAreGreyAndOthersOpen() throws Exception {
        recent.add(Files.createFile(folder.resolve("a_b.inferometer")));
        recent.add(folder.resolve("gone"));
        recent.check();
        List<String> seen = new ArrayList<>();
        WaitForAsyncUtils.asyncFx(() -> {
            RecentMenu menu = new RecentMenu(recent, path -> seen.add("opened " + path.getFileName()));
            MenuBar bar = Menus.create(List.of(Action.of(Action.Group.FILE, "menu.open", null, () -> {})), List.of(),
                    List.of());
            menu.addBelow(bar, "menu-open");
            seen.add(String.join(", ", bar.getMenus().getFirst().getItems().stream().map(MenuItem::getId).toList()));
            for (MenuItem item : menu.getItems().subList(0, 2)) {
                seen.add(item.getText() + (item.isDisable() ? ", grey" : ""));
            }
            menu.getItems().get(1).fire();
            menu.entries().forEach(entry -> seen.add(entry.label() + ": " + entry.unavailable()));
            menu.getItems().getLast().fire();
            seen.add(menu.getItems().size() + " " + menu.isDisable());
            return null;
        }).get(20, TimeUnit.SECONDS);
        assertThat(seen).isEqualTo(List.of("menu-open, menu-open-recent", "gone · " + folder + " (missing), grey",
                "a_b.inferometer · " + folder, "opened a_b.inferometer", "gone: It is no longer there.",
                "a_b.inferometer: ", "1 true"));
    }

    @Test
    void fileThatComesBackIsOffered() throws IOException {
        Path file = folder.resolve("later");
        recent.add(file);
        recent.check();
        assertThat(recent.files()).isEqualTo(List.of(new RecentFile(file, false)));
        Files.createFile(file);
        recent.check();
        assertThat(recent.files()).isEqualTo(there("later"));
    }
}
