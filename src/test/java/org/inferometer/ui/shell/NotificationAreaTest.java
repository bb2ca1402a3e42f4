package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import atlantafx.base.controls.Notification;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.layout.VBox;
import org.inferometer.ui.shell.NoticeLog.Notice;
import org.inferometer.ui.shell.NoticeLog.Severity;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.kordamp.ikonli.javafx.FontIcon;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class NotificationAreaTest {
    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @Test
    void iconsFollowTheSeverity() throws Exception {
        WaitForAsyncUtils.asyncFx(() -> {
            NoticeLog log = new NoticeLog(new SystemClock());
            NotificationArea area =
                    new NotificationArea(new InlineUi(), log, () -> false, new SimpleObjectProperty<>(1.0));
            area.done("saved");
            area.caution("invalid", "Show", () -> {});
            area.problem("failed");
            assertThat(log.notices()).extracting(Notice::severity).containsExactly(Severity.PROBLEM, Severity.CAUTION,
                    Severity.DONE);
            List<String> icons = ((VBox) area.view()).getChildren().stream()
                    .map(notice -> ((FontIcon) ((Notification) notice).getGraphic()).getIconLiteral()).toList();
            assertThat(icons).containsExactly("mdal-check_circle", "mdmz-warning", "mdal-error");
            return null;
        }).get(20, TimeUnit.SECONDS);
    }
}
