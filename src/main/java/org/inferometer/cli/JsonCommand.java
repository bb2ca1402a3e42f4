package org.inferometer.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.units.PlainText;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// A command that prints text, or one JSON document with `--json`.
///
/// Abstract because picocli finds the option in the superclass of a command.
public abstract class JsonCommand implements Callable<Integer> {
    private static final JsonMapper MAPPER = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    @Option(names = "--json", description = "Print one JSON document instead of text.")
    protected boolean json;

    private final RootCommand root;

    protected JsonCommand(RootCommand root) {
        this.root = root;
    }

    protected CliServices services() {
        return root.services();
    }

    /// Whether `--verbose` is given.
    protected boolean verbose() {
        return root.verbose();
    }

    protected Terminal terminal() {
        return root.terminal();
    }

    /// Prints the document with `--json`, else the text.
    ///
    /// @param text ends with a line feed
    protected void print(Object document, Supplier<String> text) {
        if (json) {
            print(document);
        } else {
            terminal().print(text.get());
        }
    }

    /// Prints the document.
    protected void print(Object document) {
        terminal().print(MAPPER.writeValueAsString(document) + "\n");
    }

    /// An experiment as a document, with outcome and times at the top level; more can be added.
    protected static ObjectNode document(Path folder, ExperimentManifest manifest) {
        ObjectNode document = MAPPER.createObjectNode().put("path", PlainText.of(folder.toString()));
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
    protected static JsonNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }
}
