package org.inferometer.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.inferometer.record.ExperimentManifest;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// `--json`: one JSON document on standard output instead of text.
public final class JsonOption {
    private static final JsonMapper MAPPER = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    @Option(names = "--json", description = "Print one JSON document instead of text.")
    public boolean enabled;

    /// Prints the document with `--json`, else the text.
    ///
    /// @param text ends with a line feed
    public void print(Terminal terminal, Object document, Supplier<String> text) {
        if (enabled) {
            print(terminal, document);
        } else {
            terminal.print(text.get());
        }
    }

    /// Prints the document.
    public void print(Terminal terminal, Object document) {
        terminal.print(MAPPER.writeValueAsString(document) + "\n");
    }

    /// An experiment as a document, with outcome and times at the top level; more can be added.
    public ObjectNode document(Path folder, ExperimentManifest manifest) {
        ObjectNode document = MAPPER.createObjectNode().put("path", folder.toString());
        document.setAll(MAPPER.<ObjectNode>valueToTree(manifest));
        document.setAll((ObjectNode) document.remove("outcome"));
        document.set("runFolders", MAPPER.valueToTree(manifest.runFolders()));
        JsonNode times = document.remove("times");
        for (String time : List.of("started", "ended", "imported")) {
            document.set(time + "Wall", times.path(time));
        }
        document.set("shareSafe", document.remove("anonymized"));
        return document;
    }

    /// A record as a tree.
    public JsonNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }
}
