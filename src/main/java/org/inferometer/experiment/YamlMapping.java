package org.inferometer.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.inferometer.units.NearMisses;
import org.inferometer.units.OneLine;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/// A YAML mapping that is read key by key and collects what is wrong, each fault with its line.
///
/// Reading never throws: a value that cannot be used is absent and a fault more.
final class YamlMapping {
    private static final int MAX_ALIASES = 20;

    private final String file;
    private final int line;
    private final Map<String, Node> values = new LinkedHashMap<>();
    private final Map<String, Integer> keyLines = new LinkedHashMap<>();
    private final List<PlanFault> faults;

    private YamlMapping(String file, MappingNode node, List<PlanFault> faults) {
        this.file = file;
        this.line = line(node);
        this.faults = faults;
        for (NodeTuple tuple : node.getValue()) {
            if (tuple.getKeyNode() instanceof ScalarNode key) {
                if (values.put(key.getValue(), tuple.getValueNode()) != null) {
                    fault(line(key), "\"" + key.getValue() + "\" is written twice. Keep one.");
                }
                keyLines.put(key.getValue(), line(key));
            } else {
                fault(line(tuple.getKeyNode()), "A key must be a plain word.");
            }
        }
    }

    /// The root mapping of a document; an empty one, and a fault, when the text is no mapping.
    static YamlMapping parse(String text, String file, List<PlanFault> faults) {
        LoadSettings settings = LoadSettings.builder().setLabel(file).setMaxAliasesForCollections(MAX_ALIASES)
                .setAllowDuplicateKeys(true).build();
        MappingNode empty = new MappingNode(org.snakeyaml.engine.v2.nodes.Tag.MAP, List.of(),
                org.snakeyaml.engine.v2.common.FlowStyle.BLOCK);
        try {
            Optional<Node> root = new Compose(settings).composeString(text);
            if (root.isPresent() && root.get() instanceof MappingNode mapping) {
                return new YamlMapping(file, mapping, faults);
            }
            faults.add(new PlanFault(file + ":1", "Expected keys such as \"engines:\" and \"schedulers:\"."));
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            faults.add(new PlanFault(file + ":" + line, "No valid YAML: " + OneLine.of(e.getProblem()) + "."));
        } catch (YamlEngineException | IllegalArgumentException e) {
            // An escape beyond all characters is an illegal argument to the parser.
            faults.add(new PlanFault(file + ":1", "No valid YAML: " + OneLine.of(String.valueOf(e.getMessage()))));
        } catch (StackOverflowError e) {
            faults.add(new PlanFault(file + ":1", "Nested too deeply to be an experiment."));
        }
        return new YamlMapping(file, empty, faults);
    }

    /// Faults every key that is not one of these.
    void allowOnly(List<String> keys) {
        keyLines.forEach((key, keyLine) -> {
            if (!keys.contains(key)) {
                fault(keyLine, NearMisses.sentence("key", key, keys));
            }
        });
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    Optional<String> text(String key) {
        return value(key, Function.identity());
    }

    /// A scalar, converted; a conversion that throws is a fault.
    <T> Optional<T> value(String key, Function<String, T> convert) {
        return Optional.ofNullable(values.get(key)).flatMap(node -> new Item(node).value(convert));
    }

    OptionalLong whole(String key, long min, long max) {
        Optional<Long> value = value(key, text -> {
            try {
                long number = Long.parseLong(text.replace("_", ""));
                if (number >= min && number <= max) {
                    return number;
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        key + " is \"" + text + "\"; write a whole number from " + min + " to " + max + ".", e);
            }
            throw new IllegalArgumentException(
                    key + " is " + text + "; write a whole number from " + min + " to " + max + ".");
        });
        return value.isPresent() ? OptionalLong.of(value.get()) : OptionalLong.empty();
    }

    List<String> texts(String key, boolean required) {
        return values(key, required, Function.identity());
    }

    <T> List<T> values(String key, boolean required, Function<String, T> convert) {
        List<T> converted = new ArrayList<>();
        items(key, required).forEach(item -> item.value(convert).ifPresent(converted::add));
        return converted;
    }

    /// The elements of a sequence; a single value counts as a sequence of one.
    List<Item> items(String key, boolean required) {
        Node node = values.get(key);
        if (node == null) {
            if (required) {
                fault(line, "\"" + key + "\" is missing. Add it with at least one entry.");
            }
            return List.of();
        }
        List<Node> nodes = node instanceof SequenceNode sequence ? sequence.getValue() : List.of(node);
        if (nodes.isEmpty()) {
            fault(line(node), "\"" + key + "\" is empty. Add at least one entry.");
        }
        return nodes.stream().map(Item::new).toList();
    }

    Optional<YamlMapping> mapping(String key) {
        return Optional.ofNullable(values.get(key)).flatMap(node -> new Item(node).mapping());
    }

    private void fault(int faultLine, String sentence) {
        faults.add(new PlanFault(file + ":" + faultLine, sentence));
    }

    private static int line(Node node) {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }

    /// One value with its place in the file.
    final class Item {
        private final Node node;

        private Item(Node node) {
            this.node = node;
        }

        /// The text, where the value is plain; no fault otherwise.
        Optional<String> text() {
            return node instanceof ScalarNode scalar ? Optional.of(scalar.getValue()) : Optional.empty();
        }

        <T> Optional<T> value(Function<String, T> convert) {
            if (node instanceof ScalarNode scalar) {
                return attempt(() -> convert.apply(scalar.getValue()));
            }
            fault(line(node), "Expected a plain value here.");
            return Optional.empty();
        }

        Optional<YamlMapping> mapping() {
            if (node instanceof MappingNode mapping) {
                return Optional.of(new YamlMapping(file, mapping, faults));
            }
            fault(line(node), "Expected keys and values here.");
            return Optional.empty();
        }

        /// What the supplier gives; its complaint becomes a fault at this place.
        <T> Optional<T> attempt(Supplier<T> supplier) {
            try {
                return Optional.of(supplier.get());
            } catch (IllegalArgumentException e) {
                fault(line(node), String.valueOf(e.getMessage()));
                return Optional.empty();
            }
        }
    }
}
