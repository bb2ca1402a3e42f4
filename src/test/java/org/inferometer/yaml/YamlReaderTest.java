package org.inferometer.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.inferometer.yaml.YamlFaults.Fault;
import org.junit.jupiter.api.Test;

class YamlReaderTest {
    private final YamlFaults faults = new YamlFaults();

    private Optional<YamlMapping> parse(String text) {
        return YamlReader.parse(text, new YamlReader.Limits(1024, 3, 2), faults);
    }

    @Test
    void valuesKeepTheirLines() {
        YamlMapping root = parse("a: 1\nb:\n  - x\n  - {c: \"null\"}\nd: ~\n").orElseThrow();
        assertThat(root.value("a", Integer::valueOf)).contains(1);
        assertThat(root.items("b", true)).extracting(YamlNode::line).containsExactly(3, 4);
        assertThat(root.items("b", true).get(1).mapping().orElseThrow().has("c")).isTrue();
        assertThat(root.has("d")).isFalse();
        assertThat(root.values("a", true, text -> text)).containsExactly("1");
        assertThat(faults.list()).isEmpty();
    }

    @Test
    void wrongKindsAndMissingKeysAreFaults() {
        YamlMapping root = parse("a: [1]\nb: two\nc: []\n").orElseThrow();
        root.text("a");
        root.mapping("b");
        root.items("c", false);
        root.items("d", true);
        root.value("b", Integer::valueOf);
        root.allowOnly(List.of("a", "b", "count"));
        assertThat(faults.list()).containsExactly(new Fault(1, "Expected a plain value, found a list."),
                new Fault(2, "Expected keys and values, found \"two\"."),
                new Fault(3, "\"c\" is empty. Add at least one entry."),
                new Fault(1, "\"d\" is missing. Add it with at least one entry."),
                new Fault(2, "For input string: \"two\""),
                new Fault(3, "Unknown key \"c\". Did you mean a or b? Valid: a, b, count."));
    }

    @Test
    void aliasesAreSharedUpToTheLimit() {
        YamlMapping root = parse("a: &x {n: 1}\nb: *x\nc: *x\nd: *x\ne: *y\n").orElseThrow();
        assertThat(root.mapping("c")).isEqualTo(root.mapping("a"));
        assertThat(faults.text()).isEqualTo(
                "line 4: Anchors and aliases (& and *) are limited to 2 uses in this file; write the value out."
                        + " line 5: No anchor &y stands before this alias.");
    }

    @Test
    void aliasesOfAliasesDoNotFillMemory() {
        StringBuilder text = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 9; i++) {
            String inner = "*a" + (i - 1);
            text.append("a" + i + ": &a" + i + " [" + String.join(", ", Collections.nCopies(10, inner)) + "]\n");
        }
        YamlReader.parse(text.toString(), new YamlReader.Limits(1 << 20, 20, 100), faults);
        assertThat(faults.list().getFirst())
                .isEqualTo(new Fault(5, "With this alias the file has more than 100000 values. Write fewer."));
    }

    @Test
    void jsonIsReadAsYaml() {
        YamlMapping root = parse("{\"a\" : \"x\\/\\u00e9\",\n\t\"b\" : [true, 1e-5]}").orElseThrow();
        assertThat(root.text("a")).contains("x/é");
        assertThat(root.values("b", true, text -> text)).containsExactly("true", "1e-5");
        assertThat(faults.isEmpty()).isTrue();
    }

    @Test
    void textWithoutAMappingIsAFault() {
        assertThat(parse("")).isEqualTo(parse("# comment\n")).isPresent();
        assertThat(faults.isEmpty()).isTrue();
        assertThat(parse("a: [[[[1]]]]")).isEmpty();
        assertThat(parse("- a")).isEmpty();
        assertThat(parse("a: \"x")).isEmpty();
        assertThat(faults.text()).contains("nested more than 3 levels deep", "found a list",
                "Syntax error: found unexpected end of stream.");
    }

    @Test
    void textOfManyValuesIsAFault() {
        YamlReader.parse("a: [" + "1,".repeat(100_000) + "]", new YamlReader.Limits(1 << 20, 3, 2), faults);
        assertThat(faults.text()).isEqualTo("line 1: Syntax error: line 1 is beyond the limit of 100000 values.");
    }

    @Test
    void onlyTheFirstHundredFaultsAreKept() {
        YamlReader.parse("a: 1\n".repeat(122), new YamlReader.Limits(1024, 3, 2), faults);
        assertThat(faults.list()).hasSize(101).endsWith(new Fault(101, "\"a\" is written twice. Keep one."),
                new Fault(101, "Only the first 100 faults are listed."));
        assertThat(faults.text())
                .endsWith("line 21: \"a\" is written twice. Keep one. Only the first 20 faults are listed.");
    }
}
