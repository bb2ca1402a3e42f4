package org.inferometer.engine;

import java.util.List;
import java.util.Map;
import org.inferometer.units.OneLine;

/// A value of a YAML or JSON file together with the line it stands on.
sealed interface DocumentNode {
    /// Counted from 1.
    int line();

    /// "a list", for messages.
    String kind();

    /// A word, number, truth value or null, as it is written.
    record Scalar(int line, Type type, String text) implements DocumentNode {
        enum Type {
            TEXT, WHOLE, DECIMAL, FLAG, NULL
        }

        @Override
        public String kind() {
            return type == Type.NULL ? "empty" : "\"" + OneLine.of(text) + "\"";
        }
    }

    /// Fields in the order of the file, each with the line of its key.
    record Mapping(int line, Map<String, Field> fields) implements DocumentNode {
        @Override
        public String kind() {
            return "a group of fields";
        }
    }

    record Field(int line, DocumentNode value) {}

    record Sequence(int line, List<DocumentNode> items) implements DocumentNode {
        @Override
        public String kind() {
            return "a list";
        }
    }
}
