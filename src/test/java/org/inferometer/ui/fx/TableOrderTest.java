package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import javafx.collections.FXCollections;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import org.inferometer.results.bundle.SavedLook.TableLook;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class TableOrderTest {
    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private static TableView<String> table() {
        TableView<String> table = new TableView<>(FXCollections.observableArrayList("bb", "a", "ccc"));
        table.setId("t");
        table.getColumns().add(TableColumns.values("results.name", 50, text -> text, text -> text));
        table.getColumns().add(TableColumns.values("results.runs", 50, String::length, length -> "" + length));
        table.getColumns().add(TableColumns.nodes("results.status", 50, text -> null));
        return table;
    }

    @Test
    void columnsAndRowsAreBroughtBack() throws Exception {
        WaitForAsyncUtils.asyncFx(() -> {
            TableView<String> table = table();
            TableLook look =
                    new TableLook("t", List.of("results.status", "results.runs", "results.name"), "results.runs", true);
            TableColumns.order(table, look);
            assertThat(TableColumns.order(table)).isEqualTo(look);
            assertThat(table.getItems()).containsExactly("ccc", "bb", "a");
            TableView<String> older = table();
            TableColumns.order(older, new TableLook("t", List.of("gone", "results.runs"), "results.status", false));
            assertThat(older.getColumns()).extracting(TableColumn::getId).containsExactly("results.runs",
                    "results.name", "results.status");
            assertThat(older.getSortOrder()).isEmpty();
            return null;
        }).get(20, TimeUnit.SECONDS);
    }
}
