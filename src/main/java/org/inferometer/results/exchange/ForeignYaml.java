package org.inferometer.results.exchange;

import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.results.ResultFormatException;
import org.inferometer.yaml.YamlFaults;
import org.inferometer.yaml.YamlMapping;
import org.inferometer.yaml.YamlNode;
import org.inferometer.yaml.YamlReader;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// YAML of other tools as the JSON that it stands for.
final class ForeignYaml {
    private static final YamlReader.Limits LIMITS = new YamlReader.Limits(16 << 20, 64, 1_000);
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private ForeignYaml() {}

    /// The document of a text.
    ///
    /// @throws ResultFormatException if it has a fault, names a value twice or has more than one document
    static JsonNode document(Path path, String text) throws ResultFormatException {
        YamlFaults faults = new YamlFaults();
        Optional<YamlMapping> root = YamlReader.parse(text, LIMITS, faults);
        if (root.isEmpty() || !faults.isEmpty()) {
            YamlFaults.Fault fault = faults.list().getFirst();
            throw new ResultFormatException(path, fault.line(),
                    "this is not a result in YAML: " + fault.sentence() + " Export it again, or give another file.");
        }
        return json(root.get());
    }

    private static JsonNode json(YamlNode node) {
        return switch (node) {
            case YamlMapping mapping -> {
                ObjectNode object = NODES.objectNode();
                mapping.entries().forEach((name, entry) -> object.set(name, json(entry.value())));
                yield object;
            }
            case YamlNode.Sequence sequence -> {
                ArrayNode array = NODES.arrayNode();
                sequence.nodes().forEach(each -> array.add(json(each)));
                yield array;
            }
            // Numbers are read from text where one is expected.
            case YamlNode.Scalar scalar -> scalar.isNull() ? NODES.nullNode() : NODES.stringNode(scalar.text());
        };
    }
}
