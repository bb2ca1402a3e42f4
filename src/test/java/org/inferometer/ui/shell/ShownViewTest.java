package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.ToggleButton;
import javafx.scene.layout.HBox;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class ShownViewTest {
    private final List<String> heard = new ArrayList<>();

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private static void onFx(Runnable action) throws Exception {
        WaitForAsyncUtils.asyncFx((Callable<Void>) () -> {
            action.run();
            return null;
        }).get(20, TimeUnit.SECONDS);
    }

    private ShownView views(Button bench, Button results) {
        ShownView view = new ShownView(chosen -> heard.add("chosen " + chosen));
        view.add(NavigationRail.View.BENCH, bench, shown -> heard.add("bench " + shown));
        view.add(NavigationRail.View.RESULTS, results, shown -> {});
        new Scene(new HBox(view.rail(), view.content()));
        return view;
    }

    private static ToggleButton railButton(ShownView view, String name) {
        return (ToggleButton) view.rail().lookup("#rail-" + name);
    }

    @Test
    void aViewHearsThatItIsSeenAndThatItIsLeft() throws Exception {
        onFx(() -> {
            Button bench = new Button("bench");
            Button results = new Button("results");
            ShownView view = views(bench, results);
            view.show();
            assertThat(view.content().getChildren()).containsExactly(bench);
            view.select(NavigationRail.View.RESULTS);
            view.show();
            assertThat(view.content().getChildren()).containsExactly(results);
            assertThat(view.is(NavigationRail.View.RESULTS)).isTrue();
            assertThat(heard).containsExactly("bench true", "bench false");
        });
    }

    @Test
    void theRailMarksTheShownViewAndAsksForAnother() throws Exception {
        onFx(() -> {
            ShownView view = views(new Button(), new Button());
            view.select(NavigationRail.View.RESULTS);
            assertThat(railButton(view, "results").isSelected()).isTrue();
            assertThat(railButton(view, "bench").isSelected()).isFalse();
            railButton(view, "bench").fire();
            assertThat(heard).containsExactly("chosen BENCH");
        });
    }

    @Test
    void theFocusOfALeftViewMovesToItsButton() throws Exception {
        onFx(() -> {
            Button bench = new Button();
            ShownView view = views(bench, new Button());
            view.show();
            bench.requestFocus();
            view.select(NavigationRail.View.RESULTS);
            view.show();
            assertThat(bench.getScene()).isNull();
            assertThat(view.content().getScene().getFocusOwner()).isEqualTo(railButton(view, "results"));
        });
    }
}
