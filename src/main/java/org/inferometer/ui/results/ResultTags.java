package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import javafx.scene.Node;
import javafx.scene.control.Label;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.theme.StyleClasses;

/// Words beside a result's name that say where it comes from.
final class ResultTags {
    private ResultTags() {}

    static List<Node> of(ResultRow.Origin origin, boolean imported) {
        List<Node> tags = new ArrayList<>();
        if (origin == ResultRow.Origin.SAMPLE) {
            tags.add(tag("results.sample", "tag-quiet"));
        }
        if (imported) {
            tags.add(tag("results.imported", "tag-precision"));
        }
        return tags;
    }

    private static Label tag(String key, String styleClass) {
        Label tag = Labels.fixed(text(key));
        tag.getStyleClass().addAll(StyleClasses.TAG, styleClass);
        return tag;
    }
}
