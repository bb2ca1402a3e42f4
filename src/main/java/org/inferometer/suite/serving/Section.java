package org.inferometer.suite.serving;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.inferometer.suite.serving.TestConfiguration.Finding;
import org.inferometer.suite.serving.TestConfiguration.Finding.Severity;
import org.inferometer.units.NearMisses;
import org.inferometer.units.OneLine;
import org.inferometer.yaml.YamlMapping;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/// The fields of one mapping of a configuration. A value of the wrong kind is a finding and reads as absent.
///
/// Keys that YAML's `<<` brings in count as the mapping's own.
public final class Section {
    private static final String MERGE = "<<";

    private final String path;
    private final int line;
    private final Map<String, YamlMapping.Entry> entries;
    private final List<Finding> findings;

    private Section(String path, int line, Map<String, YamlMapping.Entry> entries, List<Finding> findings) {
        this.path = path;
        this.line = line;
        this.entries = entries;
        this.findings = findings;
    }

    /// @param path for messages: "worker_config.gen"; empty for the file
    static Section of(String path, YamlMapping mapping, List<Finding> findings) {
        return new Section(path, mapping.line(), merged(mapping), findings);
    }

    private static Map<String, YamlMapping.Entry> merged(YamlMapping mapping) {
        Map<String, YamlMapping.Entry> entries = new LinkedHashMap<>(mapping.entries());
        YamlMapping.@Nullable Entry merge = entries.remove(MERGE);
        if (merge != null) {
            for (YamlNode each : merge.value().items()) {
                if (each instanceof YamlMapping other) {
                    merged(other).forEach(entries::putIfAbsent);
                }
            }
        }
        return entries;
    }

    /// Notes each key that is not one of these. It is kept.
    ///
    /// @param known all keys of this mapping
    void noteUnknown(Set<String> known) {
        entries.forEach((key, entry) -> {
            if (!known.contains(key)) {
                String near = String.join(" or ", NearMisses.of(key, known));
                add(Severity.NOTE, entry.keyLine(), "unknown_key",
                        "Unknown key \"" + OneLine.of(at(key)) + "\"."
                                + (near.isEmpty() ? "" : " Did you mean " + near + "?") + " It is kept and not used.",
                        key, near);
            }
        });
    }

    /// As [#section(String)]; notes its unknown keys.
    Section section(String key, Set<String> known) {
        Section section = section(key);
        section.noteUnknown(known);
        return section;
    }

    /// The mapping of a key; an empty one if it is absent.
    public Section section(String key) {
        Optional<YamlNode> node = node(key);
        if (node.isPresent() && node.get() instanceof YamlMapping mapping) {
            return of(at(key), mapping, findings);
        }
        node.ifPresent(other -> wrong(key, other, "keys and values"));
        return new Section(at(key), line(key), Map.of(), findings);
    }

    /// The mappings of a list.
    public List<Section> sections(String key) {
        List<Section> sections = new ArrayList<>();
        node(key).ifPresent(node -> {
            for (YamlNode item : node.items()) {
                if (item instanceof YamlMapping mapping) {
                    sections.add(of(at(key) + "[" + sections.size() + "]", mapping, findings));
                } else {
                    wrong(key, item, "a list of keys and values");
                }
            }
        });
        return sections;
    }

    /// Whether a key has a value other than null.
    public boolean has(String key) {
        return node(key).isPresent();
    }

    /// The text of a key; empty if it is absent.
    public String text(String key) {
        return value(key, "text", Function.identity()).orElse("");
    }

    /// The whole number of a key.
    public Optional<Integer> whole(String key) {
        return value(key, "a whole number", text -> Integer.valueOf(text.replace("_", "")));
    }

    /// As [#whole], without a finding for a value of the wrong kind: another reading of the key has it.
    Optional<Integer> given(String key) {
        return node(key).flatMap(YamlNode::plainText).map(String::strip).filter(text -> text.matches("[+-]?\\d{1,9}"))
                .map(Integer::valueOf);
    }

    /// The number of a key.
    public Optional<Double> decimal(String key) {
        return value(key, "a number", Double::valueOf);
    }

    /// YAML 1.1 has more words than true and false.
    public Optional<Boolean> flag(String key) {
        return value(key, "true or false", text -> truth(text).orElseThrow(IllegalArgumentException::new));
    }

    /// The text of a key; empty if it is absent or no plain value.
    String scalar(String key) {
        return node(key).flatMap(YamlNode::plainText).orElse("");
    }

    /// The texts of a list, or of a text that blanks or commas divide.
    public List<String> words(String key) {
        List<String> words = new ArrayList<>();
        for (YamlNode item : node(key).map(YamlNode::items).orElse(List.of())) {
            item.plainText().ifPresentOrElse(
                    text -> Stream.of(text.split("[\\s,]+")).filter(word -> !word.isEmpty()).forEach(words::add),
                    () -> wrong(key, item, "words"));
        }
        return words;
    }

    /// All keys with their values as YAML types them: texts, whole numbers, numbers, truth values, null, lists and maps.
    public Map<String, @Nullable Object> values() {
        return values(entries);
    }

    private static Map<String, @Nullable Object> values(Map<String, YamlMapping.Entry> entries) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        entries.forEach((key, entry) -> values.put(key, value(entry.value())));
        return values;
    }

    private static @Nullable Object value(YamlNode node) {
        return switch (node) {
            case YamlMapping mapping -> values(merged(mapping));
            case YamlNode.Sequence list -> {
                List<@Nullable Object> items = new ArrayList<>();
                list.nodes().forEach(item -> items.add(value(item)));
                yield items;
            }
            case YamlNode.Scalar scalar ->
                scalar.isNull() ? null : scalar.quoted() ? scalar.text() : typed(scalar.text());
        };
    }

    /// The core schema of YAML 1.2, and the truth values of 1.1 that TensorRT-LLM's loader knows.
    private static Object typed(String text) {
        if (text.matches("[+-]?\\d{1,18}")) {
            return Long.valueOf(text);
        }
        if (text.matches("[+-]?(\\.\\d+|\\d+(\\.\\d*)?)([eE][+-]?\\d{1,3})?")) {
            return Double.valueOf(text);
        }
        return truth(text).<Object>map(Function.identity()).orElse(text);
    }

    private static Optional<Boolean> truth(String text) {
        return switch (text) {
            case "true", "True", "TRUE", "yes", "Yes", "on", "On" -> Optional.of(true);
            case "false", "False", "FALSE", "no", "No", "off", "Off" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    /// The line of a key, or of this mapping if the key is absent.
    public int line(String key) {
        YamlMapping.@Nullable Entry entry = entries.get(key);
        return entry == null ? line : entry.keyLine();
    }

    private Optional<YamlNode> node(String key) {
        return Optional.ofNullable(entries.get(key)).map(YamlMapping.Entry::value)
                .filter(node -> !(node instanceof YamlNode.Scalar scalar && scalar.isNull()));
    }

    private <T> Optional<T> value(String key, String wanted, Function<String, T> convert) {
        Optional<YamlNode> node = node(key);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional
                    .of(convert.apply(node.get().plainText().orElseThrow(IllegalArgumentException::new).strip()));
        } catch (IllegalArgumentException e) {
            wrong(key, node.get(), wanted);
            return Optional.empty();
        }
    }

    private void wrong(String key, YamlNode node, String wanted) {
        add(Severity.ERROR, node.line(), "type", at(key) + " is not " + wanted + ".", node.describe(), wanted);
    }

    /// Adds an error at a key, whose name is the rule's, too.
    ///
    /// @param found the value; empty if it is absent
    /// @param wanted the accepted values
    void error(String key, String sentence, Object found, String wanted) {
        add(Severity.ERROR, line(key), key, sentence, found, wanted);
    }

    /// As [#error], with the line and the name of another rule.
    void add(Severity severity, int at, String rule, String sentence, Object found, String wanted) {
        findings.add(new Finding(at, severity, rule, sentence, found.toString(), wanted));
    }

    private String at(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}
