package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.ui.fx.UndoStack;
import org.junit.jupiter.api.Test;

class PinnedResultsTest {
    private final UndoStack undo = new UndoStack();
    private final PinnedResults pins = new PinnedResults(undo);
    private final ResultRow one = row("one");
    private final ResultRow two = row("two");
    private final ResultRow three = row("three");
    private final List<Path> all = Stream.of(one, two, three).map(ResultRow::folder).toList();

    private static ResultRow row(String name) {
        return new ResultRow(ResultRow.Origin.OWN, Path.of(name), Optional.empty(), "");
    }

    @Test
    void theBaselineIsComparedWithThePinnedAndTheSelected() {
        assertThat(pins.compared(one, all)).as("nothing is chosen").isEmpty();
        pins.pin(List.of(one, two));
        pins.setBaseline(one);
        assertThat(pins.chosen().get().words()).isEqualTo("Baseline: one · 1 pinned");
        assertThat(pins.compared(three, all)).containsExactly(one, two, three);
        assertThat(pins.compared(two, all)).containsExactly(one, two);
        assertThat(pins.compared(three, List.of(one.folder(), three.folder()))).as("two was deleted")
                .containsExactly(one, three);
    }

    @Test
    void theSameAgainTakesItBack() {
        pins.setBaseline(one);
        pins.setBaseline(one);
        pins.pin(List.of(two, three));
        pins.pin(List.of(two));
        assertThat(pins.chosen().get()).isEqualTo(new PinnedResults.Chosen(null, List.of(three)));
    }

    @Test
    void thereIsRoomForSevenPins() {
        List<ResultRow> eight = IntStream.range(0, 8).mapToObj(i -> row("r" + i)).toList();
        assertThat(pins.pin(eight)).isFalse();
        assertThat(pins.chosen().get().pinned()).isEqualTo(eight.subList(0, 7));
    }

    @Test
    void everyChangeIsAStepOfUndo() {
        pins.setBaseline(one);
        pins.pin(List.of(two));
        pins.clear();
        undo.undo();
        assertThat(pins.chosen().get()).isEqualTo(new PinnedResults.Chosen(one, List.of(two)));
        undo.undo();
        undo.undo();
        assertThat(pins.chosen().get().isEmpty()).isTrue();
        undo.redo();
        assertThat(pins.chosen().get().baseline()).isEqualTo(one);
    }
}
