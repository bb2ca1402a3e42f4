package org.inferometer.units;

import java.util.Map;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// [PlainText] for JSON: all strings and names.
public final class PlainJson {
    private PlainJson() {}

    /// Whether a JSON text cannot contain unsafe characters: it is ASCII without escapes, as most are. False if in doubt.
    public static boolean isPlain(byte[] json, int from, int length) {
        for (int i = from; i < from + length; i++) {
            if (json[i] < 0 || json[i] == '\\' || json[i] == 0x7f) {
                return false;
            }
        }
        return true;
    }

    /// The tree with unsafe characters of names and strings replaced. Changes the given tree.
    public static JsonNode of(JsonNode tree) {
        return changed(tree, PlainText::of, PlainText::of);
    }

    /// The tree with all strings changed, but not the names. Changes the given tree.
    public static JsonNode withTexts(JsonNode tree, UnaryOperator<String> change) {
        return changed(tree, UnaryOperator.identity(), change);
    }

    private static JsonNode changed(JsonNode node, UnaryOperator<String> names, UnaryOperator<String> change) {
        switch (node) {
            case StringNode text -> {
                String changed = change.apply(text.stringValue());
                return changed.equals(text.stringValue()) ? node : StringNode.valueOf(changed);
            }
            case ArrayNode array -> {
                for (int i = 0; i < array.size(); i++) {
                    array.set(i, changed(array.get(i), names, change));
                }
                return array;
            }
            case ObjectNode object -> {
                ObjectNode changed = JsonNodeFactory.instance.objectNode();
                for (Map.Entry<String, JsonNode> entry : object.properties()) {
                    changed.set(names.apply(entry.getKey()), changed(entry.getValue(), names, change));
                }
                return changed;
            }
            default -> {
                return node;
            }
        }
    }
}
