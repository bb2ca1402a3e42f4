package org.inferometer.ui.devices;

import java.util.List;
import javafx.scene.Node;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;

/// Cards in as many equally wide columns as fit.
final class CardColumns extends HBox {
    private static final double LEAST_WIDTH = 420;
    private static final double GAP = 14;

    private final List<Node> cards;
    private int columns;

    CardColumns(List<? extends Node> cards) {
        super(GAP);
        this.cards = List.copyOf(cards);
        setId("device-cards");
        setMinWidth(0);
        widthProperty().addListener((observed, before, now) -> fit(now.doubleValue()));
        fit(2 * LEAST_WIDTH + GAP);
    }

    private void fit(double width) {
        int room = Math.clamp((int) ((width + GAP) / (LEAST_WIDTH + GAP)), 1, Math.max(1, cards.size()));
        if (room != columns) {
            columns = room;
            deal();
        }
        // Heights are computed at preferred widths.
        double each = Math.floor((width - (columns - 1) * GAP) / columns);
        getChildren().forEach(stack -> ((VBox) stack).setPrefWidth(each));
    }

    private void deal() {
        getChildren().clear();
        for (int column = 0; column < columns; column++) {
            VBox stack = new VBox(GAP);
            stack.setMinWidth(0);
            HBox.setHgrow(stack, Priority.ALWAYS);
            for (int card = column; card < cards.size(); card += columns) {
                stack.getChildren().add(cards.get(card));
            }
            getChildren().add(stack);
        }
    }
}
