package org.inferometer.prompting.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/// Renderings are compared with those of jinja2 3.1.6 with transformers' settings (`renderings.json`).
class TemplateTest {
    private static final LocalDateTime NOW = LocalDateTime.of(2026, 11, 24, 4, 5, 6);

    /// @param rendered absent where the template refuses the values
    record Rendering(String template, Map<String, @Nullable Object> values, @Nullable String rendered) {
        @Override
        public String toString() {
            return template;
        }
    }

    static Stream<Rendering> renderings() throws IOException {
        List<Map<String, @Nullable Object>> all =
                JsonMapper.builder().build().readValue(resource("renderings.json"), new TypeReference<>() {});
        return all.stream().map(one -> {
            Map<String, @Nullable Object> values =
                    new HashMap<>((Map<String, Object>) Objects.requireNonNull(one.get("values")));
            return new Rendering((String) Objects.requireNonNull(one.get("template")), values,
                    (String) one.get("rendered"));
        });
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(TemplateTest.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void rendersAsJinjaDoes(Rendering rendering) throws Exception {
        Template template = Template.parse(resource(rendering.template()));
        if (rendering.rendered() == null) {
            assertThatThrownBy(() -> template.render(rendering.values(), NOW)).isInstanceOf(TemplateException.class)
                    .hasMessage("Line 1 of the chat template: the template refuses this: "
                            + "Turns of user and assistant must alternate.");
        } else {
            assertThat(template.render(rendering.values(), NOW)).isEqualTo(rendering.rendered());
        }
    }

    private static String refusal(String template) {
        try {
            return "rendered: " + Template.parse(template).render(Map.of("messages", List.of()), NOW);
        } catch (TemplateException e) {
            return Objects.requireNonNull(e.getMessage());
        }
    }

    @Test
    void whatIsNotSupportedIsNamedWithItsLine() {
        assertThat(Map.of("a\n{% include 'x' %}", refusal("a\n{% include 'x' %}"), "{{ x | nosuch }}",
                refusal("{{ 'x' | nosuch }}"), "{{ x.nosuch() }}", refusal("{{ 'x'.nosuch() }}"), "{{ nosuch() }}",
                refusal("\n\n{{ nosuch() }}"), "{{ x is nosuch }}", refusal("{{ 1 is nosuch }}"), "{{ x.y.z }}",
                refusal("{{ x.y.z }}")))
                .isEqualTo(Map.of("a\n{% include 'x' %}",
                        "Line 2 of the chat template: the statement \"include\" is not supported.", "{{ x | nosuch }}",
                        "Line 1 of the chat template: the filter \"nosuch\" is not supported for this value.",
                        "{{ x.nosuch() }}", "Line 1 of the chat template: the method \"nosuch\" is not supported here.",
                        "{{ nosuch() }}", "Line 3 of the chat template: the function \"nosuch\" is not supported.",
                        "{{ x is nosuch }}", "Line 1 of the chat template: the test \"nosuch\" is not supported.",
                        "{{ x.y.z }}", "Line 1 of the chat template: \"x\" has no value, so it has no \"y\"."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{{ 1", "{% if 1 %}", "{% endif %}", "{% for x in y %}{% endif %}", "{{ 1 + }}",
            "{{ 1 2 }}", "{% for %}", "{{ 'a }}", "{{ [1, 2 }}", "{{ \\ }}", "{% set %}", "{{ a[1 }}",
            "{{ 99999999999999999999 }}"})
    void brokenTemplatesAreRefusedWithALine(String template) {
        assertThatThrownBy(() -> Template.parse(template)).isInstanceOf(TemplateException.class)
                .hasMessageStartingWith("Line 1 of the chat template: ").hasMessageEndingWith(".");
    }

    static Stream<String> greedy() {
        return Stream.of("{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
                "{{ range(9999999999) }}",
                "{% set ns = namespace(t='x') %}{% for i in range(99) %}{% set ns.t = ns.t + ns.t %}{% endfor %}",
                "{% set ns = namespace(t='x') %}{% for i in range(99) %}{% set ns.t = ns.t ~ ns.t %}{% endfor %}",
                "{% set ns = namespace(t=[1]) %}{% for i in range(99) %}{% set ns.t = ns.t + ns.t %}{% endfor %}",
                "{% set ns = namespace(t=[1]) %}{% for i in range(99) %}{% set ns.t = [ns.t, ns.t] %}{% endfor %}{{ ns.t }}",
                "{% set ns = namespace(t=[1]) %}{% for i in range(99) %}{% set ns.t = [ns.t, ns.t] %}{% endfor %}"
                        + "{{ ns.t | tojson }}",
                "{% set ns = namespace(t=[1], u=[1]) %}{% for i in range(99) %}{% set ns.t = [ns.t, ns.t] %}"
                        + "{% set ns.u = [ns.u, ns.u] %}{% endfor %}{{ ns.t == ns.u }}",
                "{% set ns = namespace(t=[1]) %}{% for i in range(99999) %}{% set ns.t = [ns.t] %}{% endfor %}{{ ns.t }}",
                "{% set ns = namespace() %}{% set ns.self = ns %}{{ ns }}{{ [ns] | tojson }}",
                "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "{{ " + "(".repeat(100_000) + " }}",
                "{{ " + "not ".repeat(100_000) + "1 }}", "{{ x" + ".y".repeat(100_000) + " }}",
                "{{ 1" + "+1".repeat(300_000) + " }}", "{% if 1 %}".repeat(50_000), "{% set t = 'x' * 3 %}",
                "{% set t = range(90000) | join('abcdefgh') %}{% for i in range(90000) %}"
                        + "{{ t.find('y') }}{% endfor %}",
                "{% set t = range(90000) | join %}{{ t.replace('1', t) }}", "{{ 'a'.split('') }}",
                "{{ '" + "\\n".repeat(200_000) + "'.nosuch() }}", "{{ x[1:2:0] }}{{ 'x'[::0] }}");
    }

    @ParameterizedTest
    @MethodSource("greedy")
    @Timeout(60)
    void greedyTemplatesAreRefusedInAWhile(String template) {
        assertThat(refusal(template)).startsWith("Line 1 of the chat template: ");
    }

    static Stream<String> hoarding() {
        String text = "{% set ns=namespace(s='ab') %}{% for i in range(18) %}{% set ns.s=ns.s~ns.s %}{% endfor %}";
        String list = text + "{% set ns.l=[ns.s] %}{% for i in range(16) %}{% set ns.l=ns.l+ns.l %}{% endfor %}";
        return Stream.of(
                "{% set ns=namespace(l=[]) %}{% for i in range(2600) %}{% set ns.l=ns.l+[range(100000)] %}{% endfor %}",
                "{% set ns=namespace(l=[]) %}{% for i in range(90000) %}{% for j in range(20) %}"
                        + "{% set ns.l=[ns.l, loop] %}{% endfor %}{% endfor %}",
                list + "{{ ns.l|map('upper')|list|length }}", list + "{{ ns.l|map('length')|list }}",
                list + "{{ ns.l|sort }}", list + "{{ ns.l|select('eq', ns.s[1:] ~ 'c')|list }}",
                text + "{% for i in range(999) %}{{ (ns.s[1:] ~ 'c') in ns.s ~ ns.s }}{% endfor %}",
                text + "{% for i in range(999) %}{{ ns.s.split('a')|length }}{% endfor %}", "{% macro m(n) %}"
                        + "x".repeat(400_000) + "{% if n %}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(90) }}");
    }

    /// All bytes ever allocated count, so that the result does not depend on the collector.
    @ParameterizedTest
    @MethodSource("hoarding")
    @Timeout(60)
    void hoardingTemplateIsRefusedBeforeMemoryIsTaken(String template) {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThat(refusal(template))
                .matches("Line 1 of the chat template: .* more than [0-9]+ (MiB of values|characters|items)\\.");
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(512L << 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[t] | first", "[t] | last", "u | default(t)", "{'t': t}.get('t')", "{}.get('t', t)"})
    void valuesThatAreThereTakeNoMemory(String expression) throws Exception {
        Template template = Template.parse("{% for i in range(100) %}{% set v = " + expression + " %}{% endfor %}");
        assertThat(template.render(Map.of("t", "x".repeat(1_000_000)), NOW)).isEmpty();
    }

    static Stream<String> costly() {
        String text = "{% set ns=namespace(s='ab') %}{% for i in range(18) %}{% set ns.s=ns.s~ns.s %}{% endfor %}";
        String chains = "{% set a=namespace(x=1,y=1) %}{% set b=namespace(x=1,y=1) %}"
                + "{% set a=namespace(x=a,y=a) %}{% set b=namespace(x=b,y=b) %}".repeat(30);
        String body = "{% if x == 1 %}x{% endif %}".repeat(10_000);
        String macros = "{% macro a() %}" + body + "{% endmacro %}{% macro b() %}" + body + "{% endmacro %}";
        String often = "{% for i in range(90000) %}{% set z = ";
        String done = " %}{% endfor %}";
        String name = "n".repeat(300_000);
        // The hashes of all these texts and numbers are 1590771712.
        String sameHash = "{% set ns=namespace(l=['']) %}{% for i in range(14) %}"
                + "{% set ns.m=(ns.l|join('BB,') ~ 'BB').split(',') %}{% set ns.l=(ns.l|join('Aa,') ~ 'Aa').split(',')"
                + " + ns.m %}{% endfor %}{% set ns.l=(ns.l|join('pyi,') ~ 'pyi').split(',') %}"
                + IntStream.range(0, 16_000).mapToObj(i -> String.valueOf(i * 4294967297L + 1590771712))
                        .collect(Collectors.joining(",", "{% set ns.n=[", "] %}"));
        String doubles = "{% set ns=namespace(l=[0.5,1.25,7.125,3.0625]) %}{% for i in range(13) %}"
                + "{% set ns.l=ns.l+ns.l %}{% endfor %}{% set ns.l=ns.l+['x'] %}";
        // These names have the hash of another one in 90 scopes.
        String scopes = "{% macro f(n, " + "Aa".repeat(2_000) + ") %}{% if n %}{{ f(n - 1, 1) }}{% else %}" + often
                + "AaBB".repeat(1_000) + done + "{% endif %}{% endmacro %}{{ f(90, 1) }}";
        Stream<String> tested = Stream
                .of("2|reject('divisibleby', 1)", "{'k': 2}|rejectattr('k', 'divisibleby', 1)",
                        "2|rejectattr('k', 'undefined')", "'a'|reject('string')",
                        "'123456789012345678.123456789012345678'|map('float')",
                        "'123456789012345678.123456789012345678'|map('int')")
                .map(test -> test.split("\\|"))
                .map(parts -> "{% set ns=namespace(l=[" + parts[0] + "]) %}{% for i in range(16) %}"
                        + "{% set ns.l=ns.l+ns.l %}{% endfor %}" + often + "ns.l|" + parts[1] + done);
        return Stream.concat(tested,
                Stream.of(scopes, chains + "{{ a == b }}{{ a in [b] }}{{ [b].index }}",
                        chains + "{{ {'k': a} == {'k': b} }}", macros + often + "[a] == [b]" + done,
                        text + "{% set m={ns.s: 1} %}{% set k=ns.s[1:] ~ 'b' %}" + often + "m[ns.s[0:1] ~ ns.s[1:]]"
                                + done,
                        text + "{% set m={ns.s: 1} %}{% set k=ns.s[0:1] ~ ns.s[1:] %}" + often + "m[k]" + done,
                        text + "{% set m={ns.s: 1} %}{% set k=ns.s[0:1] ~ ns.s[1:] %}" + often + "m.get(k)" + done,
                        text + "{% set m={ns.s: 1} %}{% set k=ns.s[0:1] ~ ns.s[1:] %}" + often + "k in m" + done,
                        text + "{% set m={ns.s: 1} %}{% set k=ns.s[0:1] ~ ns.s[1:] %}" + often + "m == {k: 1}" + done,
                        "{% set " + name + "=1 %}" + often + name + done,
                        doubles + "{% for i in range(900) %}{% set z=ns.l|sort %}{% endfor %}",
                        sameHash + "{{ (ns.l + ns.n)|unique|length }}{{ (ns.n + ns.l)|unique|length }}",
                        "{% set ns=namespace(l=['']) %}{% for i in range(16) %}{% set ns.l=ns.l+ns.l %}{% endfor %}"
                                + often + "ns.l|tojson" + done));
    }

    /// Equal texts that are other objects, values within values, and hashes that collide must be paid for.
    @ParameterizedTest
    @MethodSource("costly")
    @Timeout(120)
    void noTemplateTakesLongForFewSteps(String template) {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        refusal(template);
        assertThat((ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1_000_000)
                .as("milliseconds").isLessThan(3_000);
    }

    @Test
    void namespacesAndMacrosAreEqualToThemselvesOnly() throws Exception {
        assertThat(Template.parse("{% macro m() %}x{% endmacro %}{% macro n() %}x{% endmacro %}"
                + "{% set a=namespace(x=1) %}{% set b=namespace(x=1) %}"
                + "{{ [a == a, a == b, m == m, m == n, [a] == [a], none == none, true == true, true == false] }}")
                .render(Map.of(), NOW)).isEqualTo("[True, False, True, False, True, True, True, False]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ns.l", "ns.l|tojson(indent=64)", "ns.l|tojson", "ns.l == ns.m", "{'a': ns.l}|string"})
    void valuesAreNestedAHundredTimes(String use) {
        String template = "{%% set ns=namespace(l=[], m=[]) %%}{%% for i in range(%d) %%}{%% set ns.l=[ns.l] %%}"
                + "{%% set ns.m=[ns.m] %%}{%% endfor %%}{{ " + use + " }}";
        assertThat(refusal(template.formatted(90))).startsWith("rendered: ");
        assertThat(refusal(template.formatted(101)))
                .isEqualTo("Line 1 of the chat template: lists and maps are nested deeper than 100.");
    }

    @Test
    void equalNumbersAndTextsStandOnceInUnique() {
        assertThat(refusal("{{ [2, 'b', 1, 1.0, 'a', 'b', 2, 0.5, 0.5]|unique }}{{ [0.5, 'b', 10, 'a', 9]|sort }}"))
                .isEqualTo("rendered: [2, 'b', 1, 'a', 0.5][0.5, 10, 9, 'a', 'b']");
    }

    @Test
    void damagedTemplatesRenderOrAreRefused() throws Exception {
        SplittableRandom random = new SplittableRandom(11);
        List<Rendering> renderings = renderings().toList();
        int refused = 0;
        for (int i = 0; i < 4000; i++) {
            Rendering one = renderings.get(random.nextInt(renderings.size()));
            StringBuilder template = new StringBuilder(resource(one.template()));
            for (int change = random.nextInt(1, 4); change > 0; change--) {
                int at = random.nextInt(template.length() - 8);
                switch (random.nextInt(3)) {
                    case 0 -> template.delete(at, at + random.nextInt(1, 8));
                    case 1 -> template.insert(at, "{%}'\"()[]|.-".charAt(random.nextInt(12)));
                    default -> template.insert(at, template.substring(at, at + random.nextInt(1, 8)));
                }
            }
            try {
                Template.parse(template.toString()).render(one.values(), NOW);
            } catch (TemplateException e) {
                refused++;
                assertThat(e.getMessage()).matches("(?s)Line \\d+ of the chat template: .+");
            }
        }
        assertThat(refused).isBetween(1000, 3999);
    }
}
