package org.inferometer.cli;

import java.util.function.Supplier;
import picocli.CommandLine.Option;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// `--json`: one JSON document on standard output instead of text.
public final class JsonOption {
    private static final JsonMapper MAPPER = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    @Option(names = "--json", description = "Print one JSON document instead of text.")
    public boolean asked;

    /// Prints the document with `--json`, else the text.
    ///
    /// @param text ends with a line feed
    public void print(Terminal terminal, Object document, Supplier<String> text) {
        if (asked) {
            print(terminal, document);
        } else {
            terminal.print(text.get());
        }
    }

    /// Prints the document.
    public void print(Terminal terminal, Object document) {
        terminal.print(MAPPER.writeValueAsString(document) + "\n");
    }

    /// A record as a tree that can be extended.
    public ObjectNode tree(Record value) {
        return MAPPER.valueToTree(value);
    }

    public ObjectNode object() {
        return MAPPER.createObjectNode();
    }
}
