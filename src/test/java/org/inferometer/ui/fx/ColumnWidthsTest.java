package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.scene.Scene;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.layout.Pane;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class ColumnWidthsTest {
    private final Settings memory = new Settings(Path.of("no-such-folder", "settings"));

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private interface Action {
        void run() throws Exception;
    }

    private static void onFx(Action action) throws Exception {
        WaitForAsyncUtils.asyncFx(() -> {
            action.run();
            return true;
        }).get(20, TimeUnit.SECONDS);
    }

    /// A table of three columns, by default the middle one elastic, in a window.
    private final class Shown {
        private final TableView<String> table = new TableView<>();
        private final Pane pane = new Pane(table);
        private final ColumnWidths widths;

        Shown() {
            this(1);
        }

        Shown(int... elastic) {
            for (String id : List.of("date", "name", "rate")) {
                TableColumn<String, String> column = new TableColumn<>(id);
                column.setId(id);
                column.setPrefWidth(id.equals("name") ? 150 : 100);
                column.setCellValueFactory(row -> new ReadOnlyStringWrapper(row.getValue()));
                table.getColumns().add(column);
            }
            table.getItems().add("a row whose words are wider than any of the columns that are to show them");
            widths = ColumnWidths
                    .keep(table,
                            Arrays.stream(elastic).mapToObj(table.getColumns()::get).toArray(TableColumn<?, ?>[]::new))
                    .remember(memory, "columns.test");
            new Scene(pane);
        }

        void resize(double width) {
            table.resize(width, 200);
            table.applyCss();
            table.layout();
        }

        List<Long> widths() {
            return table.getColumns().stream().map(column -> Math.round(column.getWidth())).toList();
        }

        /// Drags the right edge of a column.
        void drag(int column, double by) {
            drag(table.getColumns().get(column), by);
        }

        private <T> void drag(TableColumn<String, T> column, double by) {
            table.resizeColumn(column, by);
        }
    }

    @Test
    void columnsAreAsWideAfterManyResizesAsBefore() throws Exception {
        onFx(() -> {
            Shown shown = new Shown();
            shown.resize(802);
            List<Long> first = shown.widths();
            assertThat(first).first().isEqualTo(100L);
            assertThat(first.stream().mapToLong(width -> width).sum()).isBetween(795L, 802L);
            for (int i = 0; i < 20; i++) {
                shown.resize(280 + 20 * i);
                shown.resize(1400);
            }
            shown.resize(802);
            assertThat(shown.widths()).isEqualTo(first);
        });
    }

    @Test
    void whatDoesNotFitIsScrolledToAndNotSqueezed() throws Exception {
        onFx(() -> {
            Shown shown = new Shown();
            shown.resize(300);
            assertThat(shown.widths()).containsExactly(100L, 150L, 100L);
            assertThat(shown.widths.overflowing().get()).isTrue();
            shown.resize(600);
            assertThat(shown.widths.overflowing().get()).isFalse();
        });
    }

    @Test
    void aDraggedWidthStaysAndIsThereAgainAfterAStart() throws Exception {
        onFx(() -> {
            Shown shown = new Shown();
            shown.resize(802);
            shown.drag(0, 60);
            shown.drag(2, -30);
            shown.resize(400);
            shown.resize(1000);
            assertThat(shown.widths()).first().isEqualTo(160L);
            assertThat(shown.widths()).last().isEqualTo(70L);
            assertThat(memory.get("columns.test")).contains("date=160,rate=70");
            Shown again = new Shown();
            again.resize(1000);
            assertThat(again.widths()).isEqualTo(shown.widths());
        });
    }

    @Test
    void elasticColumnsShareWhatRemains() throws Exception {
        onFx(() -> {
            Shown shown = new Shown(0, 1);
            shown.resize(802);
            List<Long> first = shown.widths();
            assertThat(first.get(0) - 100).isEqualTo(first.get(1) - 150).isGreaterThan(200);
            assertThat(first).last().isEqualTo(100L);
            shown.drag(0, -100);
            assertThat(shown.widths()).containsExactly(first.get(0) - 100, first.get(1) + 100, 100L);
        });
    }

    @Test
    void theElasticColumnThatWasDraggedIsElasticNoMore() throws Exception {
        onFx(() -> {
            Shown shown = new Shown();
            shown.resize(802);
            shown.drag(1, -200);
            long chosen = shown.widths().get(1);
            shown.resize(1400);
            assertThat(shown.widths()).containsExactly(100L, chosen, 100L);
        });
    }

    @Test
    void nonsenseThatWasKeptIsPassedOver() throws Exception {
        memory.put("columns.test", "date=,name=1e9,rate=-5,rate=99999999999,=3,gone=120,,date=3,rate=130");
        onFx(() -> {
            Shown shown = new Shown();
            shown.resize(300);
            assertThat(shown.widths()).containsExactly(100L, 150L, 130L);
        });
    }
}
