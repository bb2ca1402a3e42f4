package org.inferometer.architecture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What the shipped jars hold of others, as `src/config/inside-jars.json` declares it with its evidence. The build adds it to the bill of
/// materials.
final class InsideJars {
    private static final Path DECLARED = Path.of("src/config/inside-jars.json");
    private static final Pattern NATIVE = Pattern.compile(".*\\.(so(\\.\\d+)*|dll|dylib|jnilib)");
    /// Licences of parts; the jar's own is `META-INF/LICENSE`.
    private static final Pattern LICENCE = Pattern
            .compile("(?!META-INF/LICENSE(\\.txt|\\.md)?$)(?i)(.*/)?[^/]*(licen[cs]e|copying)[^/]*(?<!\\.class)");
    private static final Pattern SHADED = Pattern.compile("META-INF/maven/[^/]+/([^/]+)/pom.properties");
    /// A Rust library leaves the paths of its sources in a binary.
    private static final Pattern CRATE =
            Pattern.compile("registry[/\\\\]src[/\\\\][^/\\\\]+[/\\\\]([A-Za-z0-9_-]+?)-(\\d[A-Za-z0-9.+-]*)[/\\\\]");
    private static final JsonMapper JSON = new JsonMapper();

    /// @param version empty if the binary does not tell it
    /// @param entry of the jar; `*` stands for any letters
    /// @param evidence text that the entry holds; empty if the entry itself is the evidence
    record Component(String name, String version, String licence, String entry, String evidence, boolean isCrate) {}

    private final Map<String, String> contents = new HashMap<>();
    private final List<Component> components = new ArrayList<>();
    /// By the entries of components.
    private final Map<String, Pattern> patterns = new HashMap<>();
    /// Sentences about what the declaration lacks or wrongly has.
    private final List<String> faults = new ArrayList<>();

    private InsideJars() {}

    List<Component> components() {
        return components;
    }

    List<String> faults() {
        return faults;
    }

    /// The components whose entries are there: jars of other systems, and jars without a classifier, lack some.
    private List<Component> present() {
        return components.stream().filter(each -> contents.keySet().stream().anyMatch(entry -> isIn(each, entry)))
                .toList();
    }

    /// The names of libraries that are declared.
    static JsonNode declared() {
        return JSON.readTree(DECLARED.toFile()).get("jars");
    }

    /// What a jar holds.
    ///
    /// @param library its artifact
    static InsideJars of(Path jar, String library) throws IOException {
        InsideJars inside = new InsideJars();
        try (JarFile file = new JarFile(jar.toFile())) {
            // Of a jar without declaration only the names count.
            boolean isDeclared = declared().has(library);
            for (JarEntry entry : file.stream().filter(each -> !each.isDirectory()).toList()) {
                byte[] content = isDeclared && !entry.getName().endsWith(".class")
                        ? file.getInputStream(entry).readAllBytes() : new byte[0];
                inside.contents.put(entry.getName(), new String(content, StandardCharsets.ISO_8859_1));
            }
        }
        inside.compare(jar.getFileName().toString(), library);
        return inside;
    }

    private void compare(String jar, String library) {
        JsonNode declared = declared().path(library);
        if (!declared.isMissingNode() && !jar.startsWith(library + "-" + declared.get("version").asString())) {
            faults.add(jar + " has another version than its declaration");
        }
        for (JsonNode each : declared.path("components")) {
            components.add(new Component(each.get("name").asString(), each.path("version").asString(""),
                    each.get("licence").asString(), each.get("entry").asString(), each.path("evidence").asString(""),
                    false));
        }
        components.stream()
                .filter(each -> contents.keySet().stream()
                        .noneMatch(entry -> isIn(each, entry) && contents.get(entry).contains(each.evidence())))
                .forEach(each -> faults.add(jar + ": " + each.entry() + " does not show " + each.name()));
        contents.keySet().stream()
                .filter(entry -> NATIVE.matcher(entry).matches() || LICENCE.matcher(entry).matches()
                        || shaded(entry, library))
                .filter(entry -> components.stream().noneMatch(each -> isIn(each, entry))).sorted()
                .forEach(entry -> faults.add(jar + ": nothing says what " + entry + " is"));
        if (declared.has("crates")) {
            addCrates(jar, declared.get("crates"));
        }
    }

    private static boolean shaded(String entry, String library) {
        var shaded = SHADED.matcher(entry);
        return shaded.matches() && !shaded.group(1).equals(library);
    }

    private boolean isIn(Component component, String entry) {
        return patterns
                .computeIfAbsent(component.entry(),
                        stars -> Pattern.compile(Pattern.quote(stars).replace("*", "\\E.*\\Q")))
                .matcher(entry).matches();
    }

    private void addCrates(String jar, JsonNode licences) {
        Map<String, Component> crates = new TreeMap<>();
        contents.forEach((entry, content) -> {
            if (NATIVE.matcher(entry).matches()) {
                for (MatchResult crate : CRATE.matcher(content).results().toList()) {
                    crates.put(crate.group(1) + " " + crate.group(2), new Component(crate.group(1), crate.group(2),
                            licences.path(crate.group(1)).asString(""), entry, crate.group(), true));
                }
            }
        });
        crates.values().stream().filter(each -> each.licence().isEmpty())
                .forEach(each -> faults.add(jar + ": the licence of the crate " + each.name() + " is not declared"));
        TreeSet<String> unused = new TreeSet<>(licences.propertyNames());
        crates.values().forEach(each -> unused.remove(each.name()));
        unused.forEach(each -> faults.add(jar + ": no crate " + each));
        components.addAll(crates.values());
    }

    /// Adds the components to the bill of materials of the build.
    ///
    /// @param arguments the bill and the folder of jars
    static void main(String[] arguments) throws IOException {
        Path bill = Path.of(arguments[0]);
        ObjectNode root = (ObjectNode) JSON.readTree(bill.toFile());
        for (JsonNode library : root.get("components")) {
            String classifier = library.get("purl").asString().replaceFirst(".*classifier=([^&]*).*|.*", "$1");
            Path jar = Path.of(arguments[1], library.get("name").asString() + "-" + library.get("version").asString()
                    + (classifier.isEmpty() ? "" : "-" + classifier) + ".jar");
            List<Component> inside = Files.exists(jar) ? of(jar, library.get("name").asString()).present() : List.of();
            if (!inside.isEmpty()) {
                ArrayNode nested = ((ObjectNode) library).putArray("components");
                inside.forEach(each -> describe(nested.addObject(), each));
            }
        }
        Files.writeString(bill, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root));
    }

    private static void describe(ObjectNode node, Component component) {
        node.put("type", "library").put("name", component.name());
        if (!component.version().isEmpty()) {
            node.put("version", component.version());
        }
        node.putArray("licenses").addObject().put("expression", component.licence());
        if (component.isCrate()) {
            node.put("purl", "pkg:cargo/" + component.name() + "@" + component.version());
        }
        node.putArray("properties").addObject().put("name", "inferometer:entry").put("value", component.entry());
    }
}
