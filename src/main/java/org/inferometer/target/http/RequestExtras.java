package org.inferometer.target.http;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.options.Selection;
import org.inferometer.units.LetterCase;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// What a user adds to requests: `header.NAME=text`, `query.NAME=text`, `body.PATH=JSON`, and to some of them: `mix.NAME` ([RequestMix]). A value `env:NAME` is that of a variable, which is
/// never recorded.
///
/// @param headers by name; also of requests for models and gauges of the server itself
/// @param query "?api-version=2024-10-21"; empty without parameters
/// @param body fields of the request's body, not to be changed
/// @param mix kinds of requests; empty where all are alike
/// @param secrets values of variables
record RequestExtras(Map<String, String> headers, String query, ObjectNode body, List<RequestMix.Variant> mix,
        List<String> secrets) {
    private static final String HEADER = "header.";
    private static final String QUERY = "query.";
    private static final String BODY = "body.";
    private static final String VARIABLE = "env:";
    private static final int LONGEST = 4096;
    private static final int DEEPEST = 16;
    private static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9_-]{1,100}");
    private static final Pattern QUERY_NAME = Pattern.compile("[A-Za-z0-9_.~-]{1,100}");
    private static final Pattern PATH = Pattern.compile("[A-Za-z0-9_-]{1,100}");
    private static final List<String> SECRET_WORDS = List.of("auth", "key", "token", "secret", "cookie", "password");
    /// Written by the program.
    private static final Set<String> OWN_HEADERS = Set.of("host", "content-type", "content-length", "accept",
            "transfer-encoding", "connection", "expect", "upgrade", "te", "user-agent");
    private static final Set<String> OWN_FIELDS =
            Set.of("model", "prompt", "messages", "stream", "stream_options", "max_tokens", "max_completion_tokens",
                    "min_tokens", "ignore_eos", "stop", "temperature", "n", "top_p", "top_k", "seed");
    private static final JsonMapper JSON = JsonMapper
            .builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build()).build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    /// A selection without these options.
    static Selection without(Selection selection) {
        Map<String, String> others = new LinkedHashMap<>(selection.options());
        others.keySet().removeIf(RequestExtras::isExtra);
        return new Selection(selection.name(), others);
    }

    /// Whether an option is one of these.
    static boolean isExtra(String option) {
        return Stream.of(HEADER, QUERY, BODY, RequestMix.PREFIX).anyMatch(option::startsWith);
    }

    /// The variables that the values name.
    static List<String> variables(Selection selection) {
        return selection.options().entrySet().stream()
                .filter(each -> isExtra(each.getKey()) && each.getValue().startsWith(VARIABLE))
                .map(each -> each.getValue().substring(VARIABLE.length())).distinct().toList();
    }

    /// Reads the options of a selection.
    ///
    /// @param environment value of a variable; absent if it is not set
    /// @param faults gets a sentence for each option that cannot be used
    static RequestExtras read(Selection selection, Function<String, Optional<String>> environment,
            List<String> faults) {
        Map<String, String> headers = new LinkedHashMap<>();
        Map<String, String> query = new LinkedHashMap<>();
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        List<String> secrets = new ArrayList<>();
        selection.options().forEach((option, written) -> {
            if (!isExtra(option) || option.startsWith(RequestMix.PREFIX)) {
                return;
            }
            try {
                String value = value(written, environment, secrets);
                String name = option.substring(option.indexOf('.') + 1);
                if (option.startsWith(BODY)) {
                    put(body, name, written, value);
                } else {
                    boolean header = option.startsWith(HEADER);
                    require((header ? HEADER_NAME : QUERY_NAME).matcher(name).matches(), "this is no name.");
                    require(!header || !OWN_HEADERS.contains(LetterCase.lower(name)),
                            "the program writes this header itself.");
                    require(written.startsWith(VARIABLE)
                            || SECRET_WORDS.stream().noneMatch(LetterCase.lower(name)::contains),
                            "a secret would be recorded. Name its variable: " + option + "=env:NAME.");
                    (header ? headers : query).put(name, value);
                }
            } catch (IllegalArgumentException e) {
                faults.add(selection.name() + ": " + option + ": " + e.getMessage());
            }
        });
        List<RequestMix.Variant> mix =
                RequestMix.read(selection, body, written -> value(written, environment, secrets), faults);
        return new RequestExtras(Map.copyOf(headers), query(query), body, mix, List.copyOf(secrets));
    }

    private static String value(String written, Function<String, Optional<String>> environment, List<String> secrets) {
        require(written.length() <= LONGEST, "the value has more than " + LONGEST + " characters.");
        if (!written.startsWith(VARIABLE)) {
            require(written.chars().noneMatch(Character::isISOControl), "the value has control characters.");
            return written;
        }
        String variable = written.substring(VARIABLE.length());
        String value = environment.apply(variable).orElseThrow(() -> new IllegalArgumentException(
                "the variable " + variable + " is not set. Set it, or write it into .env in the workspace."));
        require(value.length() <= LONGEST && value.chars().allMatch(c -> c >= ' ' && c < 0x7F),
                "the variable " + variable + " has characters that cannot be sent.");
        secrets.add(value);
        return value;
    }

    /// A text that is no JSON is a string.
    private static JsonNode json(String text) {
        try {
            JsonNode node = JSON.readTree(text);
            return node == null || node.isMissingNode() ? StringNode.valueOf(text) : node;
        } catch (JacksonException e) {
            require(!text.startsWith("{") && !text.startsWith("["), "the value is not valid JSON.");
            return StringNode.valueOf(text);
        }
    }

    /// Adds a field.
    ///
    /// @param path names with dots between
    /// @param written as the user wrote it; the value is that of its variable, where it names one
    /// @throws IllegalArgumentException with what is wrong
    static void put(ObjectNode body, String path, String written, String value) {
        List<String> names = List.of(path.split("\\.", DEEPEST));
        require(names.stream().allMatch(name -> PATH.matcher(name).matches()), "this is no path of names.");
        require(!OWN_FIELDS.contains(names.getFirst()), "the program writes " + names.getFirst() + " itself.");
        ObjectNode at = body;
        for (String name : names.subList(0, names.size() - 1)) {
            JsonNode inner = at.path(name);
            require(inner.isMissingNode() || inner.isObject(), name + " has a value of its own.");
            at = inner.isMissingNode() ? at.putObject(name) : (ObjectNode) inner;
        }
        at.set(names.getLast(), written.startsWith(VARIABLE) ? StringNode.valueOf(value) : json(value));
    }

    private static String query(Map<String, String> parameters) {
        return parameters.isEmpty() ? ""
                : parameters.entrySet().stream()
                        .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&", "?", ""));
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
