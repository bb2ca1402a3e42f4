package org.inferometer.yaml;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.inferometer.units.FileFault;
import org.inferometer.units.OneLine;
import org.inferometer.units.PlainText;
import org.inferometer.units.QuantityText;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/// Reads untrusted YAML (and JSON, which YAML contains) into nodes with line numbers. Size, depth and aliases are limited;
/// tags, repeated keys and second documents are faults.
public final class YamlReader {
    private static final int MOST_ESCAPES = 200;
    private static final long MOST_REREAD_CHARACTERS = 4_000_000;
    /// Also with what aliases stand for: those of aliases multiply.
    private static final long MOST_VALUES = 100_000;

    private final Iterator<Event> events;
    private final Limits limits;
    private final YamlFaults faults;
    private final Map<String, Anchored> anchors = new HashMap<>();
    private int aliases;
    private long values;

    /// @param values that the node stands for, with those of its aliases
    private record Anchored(YamlNode node, long values) {}

    /// Bounds of a file.
    ///
    /// @param bytes largest file
    /// @param depth levels of mappings and lists
    /// @param aliases uses of anchors; 0 forbids them
    public record Limits(int bytes, int depth, int aliases) {}

    private YamlReader(Iterator<Event> events, Limits limits, YamlFaults faults) {
        this.events = events;
        this.limits = limits;
        this.faults = faults;
    }

    /// The root mapping of a file; empty, with a fault, if the text has no such mapping.
    ///
    /// @throws IOException with one sentence that does not name the file, if the file is missing, too large, not UTF-8 or unreadable
    public static Optional<YamlMapping> read(Path file, Limits limits, YamlFaults faults) throws IOException {
        return parse(text(file, limits.bytes), limits, faults);
    }

    /// As [#read], of text. An empty text is an empty mapping.
    public static Optional<YamlMapping> parse(String text, Limits limits, YamlFaults faults) {
        try {
            Iterator<Event> events = new Parse(LoadSettings.builder().build()).parseString(text).iterator();
            return new YamlReader(events, limits, faults).document();
        } catch (MarkedYamlEngineException e) {
            faults.add(e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1),
                    "Syntax error: " + OneLine.of(e.getProblem()) + ".");
        } catch (YamlEngineException | IllegalArgumentException e) {
            // The parser throws IllegalArgumentException for an escape beyond the last character.
            faults.add(1, "Syntax error: " + OneLine.of(String.valueOf(e.getMessage())) + ".");
        }
        return Optional.empty();
    }

    /// As [#read], of files written for other programs: a backslash in double quotes before a character that YAML does not know as an
    /// escape stands for itself.
    ///
    /// @param escapes receives the line of each such backslash
    public static Optional<YamlMapping> readAsMeant(Path file, Limits limits, YamlFaults faults, IntConsumer escapes)
            throws IOException {
        StringBuilder text = new StringBuilder(text(file, limits.bytes));
        // Each escape takes a reading of the whole text.
        for (int repaired = 0; repaired < MOST_ESCAPES
                && (long) repaired * text.length() < MOST_REREAD_CHARACTERS; repaired++) {
            int backslash = unknownEscape(text.toString(), escapes);
            if (backslash < 0) {
                break;
            }
            text.insert(backslash, '\\');
        }
        return parse(text.toString(), limits, faults);
    }

    /// Where the first backslash of an unknown escape stands; -1 without one.
    private static int unknownEscape(String text, IntConsumer escapes) {
        try {
            new Parse(LoadSettings.builder().build()).parseString(text).forEach(event -> {});
        } catch (MarkedYamlEngineException e) {
            Optional<Mark> mark = e.getProblemMark();
            if (mark.isPresent() && String.valueOf(e.getProblem()).startsWith("found unknown escape character")) {
                // The mark counts characters, the text may have pairs.
                int at = text.lastIndexOf('\\', text.offsetByCodePoints(0,
                        Math.min(mark.get().getIndex(), text.codePointCount(0, text.length()))));
                escapes.accept(mark.get().getLine() + 1);
                return at;
            }
        } catch (YamlEngineException | IllegalArgumentException e) {
            // Another fault, which reading finds again.
            return -1;
        }
        return -1;
    }

    private static String text(Path file, int largestBytes) throws IOException {
        try {
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                throw new IOException("It is not a regular file.");
            }
            byte[] bytes;
            try (InputStream in = Files.newInputStream(file)) {
                bytes = in.readNBytes(largestBytes + 1);
            }
            if (bytes.length > largestBytes) {
                throw new IOException("It has " + QuantityText.bytes(Files.size(file)) + "; at most "
                        + QuantityText.bytes(largestBytes) + " are allowed.");
            }
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (NoSuchFileException missing) {
            throw new IOException("The file is missing.", missing);
        } catch (FileSystemException unreadable) {
            throw new IOException(FileFault.reason(unreadable) + ".", unreadable);
        } catch (CharacterCodingException notUtf8) {
            throw new IOException("It is not UTF-8 text. Save it as UTF-8.", notUtf8);
        }
    }

    private Optional<YamlMapping> document() {
        events.next();
        Event start = events.next();
        if (start.getEventId() == Event.ID.StreamEnd) {
            return Optional.of(new YamlMapping(1, faults, Map.of()));
        }
        YamlNode root = node(events.next(), 0);
        events.next();
        Event after = events.next();
        if (after.getEventId() != Event.ID.StreamEnd) {
            faults.add(line(after), "A second document follows. Keep one document in the file.");
        }
        return root instanceof YamlNode.Scalar scalar && scalar.isNull()
                ? Optional.of(new YamlMapping(1, faults, Map.of())) : root.mapping();
    }

    private YamlNode node(Event event, int depth) {
        int line = line(event);
        long before = values;
        if (event instanceof AliasEvent alias) {
            return alias(line, alias.getAlias().getValue());
        }
        if (faults.isFull()) {
            throw new YamlEngineException("more faults than are listed");
        }
        if (++values > MOST_VALUES) {
            throw new YamlEngineException("line " + line + " is beyond the limit of " + MOST_VALUES + " values");
        }
        Optional<?> tag = Optional.empty();
        YamlNode node;
        if (event instanceof ScalarEvent scalar) {
            tag = scalar.getTag();
            node = new YamlNode.Scalar(line, faults, PlainText.of(scalar.getValue()), scalar.getValue(),
                    !scalar.isPlain());
        } else {
            if (depth == limits.depth) {
                throw new YamlEngineException("line " + line + " is nested more than " + limits.depth + " levels deep");
            }
            tag = ((CollectionStartEvent) event).getTag();
            node = event instanceof MappingStartEvent ? mapping(line, depth) : sequence(line, depth);
        }
        if (tag.isPresent()) {
            faults.add(line, "Tags (!) are not supported; remove it.");
        }
        ((NodeEvent) event).getAnchor()
                .ifPresent(anchor -> anchors.put(anchor.getValue(), new Anchored(node, values - before)));
        return node;
    }

    private YamlNode alias(int line, String name) {
        Anchored anchored = anchors.get(name);
        String fault = anchored == null ? "No anchor &" + PlainText.of(name) + " stands before this alias."
                : ++aliases > limits.aliases ? "Anchors and aliases (& and *) are limited to " + limits.aliases
                        + " uses in this file; write the value out."
                : values + anchored.values > MOST_VALUES
                        ? "With this alias the file has more than " + MOST_VALUES + " values. Write fewer."
                : "";
        if (anchored == null || !fault.isEmpty()) {
            faults.add(line, fault);
            return new YamlNode.Scalar(line, faults, "", "", false);
        }
        values += anchored.values;
        return anchored.node;
    }

    private YamlMapping mapping(int line, int depth) {
        Map<String, YamlMapping.Entry> entries = new LinkedHashMap<>();
        for (Event event = events.next(); event.getEventId() != Event.ID.MappingEnd; event = events.next()) {
            int keyLine = line(event);
            YamlNode key = node(event, depth + 1);
            YamlNode value = node(events.next(), depth + 1);
            if (!(key instanceof YamlNode.Scalar word)) {
                faults.add(keyLine, "A key must be a plain word.");
            } else if (entries.put(word.text(), new YamlMapping.Entry(keyLine, value)) != null) {
                faults.add(keyLine, "\"" + OneLine.of(word.text()) + "\" is written twice. Keep one.");
            }
        }
        return new YamlMapping(line, faults, entries);
    }

    private YamlNode sequence(int line, int depth) {
        List<YamlNode> items = new ArrayList<>();
        for (Event event = events.next(); event.getEventId() != Event.ID.SequenceEnd; event = events.next()) {
            items.add(node(event, depth + 1));
        }
        return new YamlNode.Sequence(line, faults, items);
    }

    private static int line(Event event) {
        return event.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }
}
