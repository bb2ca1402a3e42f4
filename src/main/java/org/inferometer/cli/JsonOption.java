package org.inferometer.cli;

import picocli.CommandLine.Option;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// `--json`: one JSON document on standard output instead of text.
public final class JsonOption {
    private static final JsonMapper MAPPER = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    @Option(names = "--json", description = "Write one JSON document to standard output instead of text.")
    public boolean asked;

    /// Writes the document and a line feed.
    public void print(Terminal terminal, Object document) {
        terminal.out().print(MAPPER.writeValueAsString(document) + "\n");
        terminal.out().flush();
    }

    /// A record as a tree that more can be added to.
    public ObjectNode tree(Record value) {
        return MAPPER.valueToTree(value);
    }

    public ObjectNode object() {
        return MAPPER.createObjectNode();
    }
}
