package org.inferometer.yaml;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.inferometer.units.NearMisses;

/// The keys and values of a YAML mapping or JSON object, in the order of the file.
///
/// Reading never throws: a value of the wrong kind is a fault and reads as absent.
public record YamlMapping(int line, YamlFaults faults, Map<String, Entry> entries) implements YamlNode {
    /// A value and the line of its key.
    public record Entry(int keyLine, YamlNode value) {}

    @Override
    public String describe() {
        return "keys and values";
    }

    /// Adds a fault for each key that is not one of these.
    public void allowOnly(Collection<String> keys) {
        entries.forEach((key, entry) -> {
            if (!faults.isFull() && !keys.contains(key)) {
                faults.add(entry.keyLine, NearMisses.sentence("key", key, keys));
            }
        });
    }

    /// True if the key is present and its value is not null.
    public boolean has(String key) {
        return node(key).filter(node -> !(node instanceof Scalar scalar && scalar.isNull())).isPresent();
    }

    /// The value of a key as it is.
    public Optional<YamlNode> node(String key) {
        return Optional.ofNullable(entries.get(key)).map(Entry::value);
    }

    /// Adds a fault at the line of a key, or of this mapping if the key is absent.
    public void fault(String key, String sentence) {
        Entry entry = entries.get(key);
        faults.add(entry == null ? line : entry.keyLine, sentence);
    }

    /// A plain value as text.
    public Optional<String> text(String key) {
        return value(key, Function.identity());
    }

    /// A plain value, converted; an [IllegalArgumentException] of the conversion is a fault.
    public <T> Optional<T> value(String key, Function<String, T> convert) {
        return node(key).flatMap(node -> node.value(convert));
    }

    /// The mapping that is the value of a key.
    public Optional<YamlMapping> mapping(String key) {
        return node(key).flatMap(YamlNode::mapping);
    }

    /// The elements of a list, converted; a single value counts as a list of one.
    ///
    /// @param required whether an absent or empty list is a fault
    public <T> List<T> values(String key, boolean required, Function<String, T> convert) {
        List<T> converted = new ArrayList<>();
        items(key, required).forEach(item -> item.value(convert).ifPresent(converted::add));
        return converted;
    }

    /// The elements of a list as they are, as [#values].
    public List<YamlNode> items(String key, boolean required) {
        Optional<List<YamlNode>> items = node(key).map(YamlNode::items);
        if (items.isEmpty() && required) {
            fault(key, "\"" + key + "\" is missing. Add it with at least one entry.");
        } else if (items.isPresent() && items.get().isEmpty()) {
            fault(key, "\"" + key + "\" is empty. Add at least one entry.");
        }
        return items.orElse(List.of());
    }
}
