package org.inferometer.prompting.template;

import java.util.List;
import java.util.Map;
import org.inferometer.prompting.template.Values.Undefined;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;

/// What follows `is`.
///
/// @param budget what they read counts here
record Tests(Budget budget) {
    boolean holds(String name, @Nullable Object of, List<@Nullable Object> given, int line) throws TemplateException {
        budget.visit(null, 0);
        return switch (name) {
            case "defined" -> !(of instanceof Undefined);
            case "undefined" -> of instanceof Undefined;
            case "none" -> of == null;
            case "string" -> of instanceof String;
            case "number" -> of instanceof Number;
            case "integer" -> of instanceof Long;
            case "float" -> of instanceof Double;
            case "boolean" -> of instanceof Boolean;
            case "true" -> Boolean.TRUE.equals(of);
            case "false" -> Boolean.FALSE.equals(of);
            case "mapping" -> of instanceof Map;
            case "sequence", "iterable" -> of instanceof List || of instanceof Map || of instanceof String;
            case "odd" -> whole(of, line) % 2 != 0;
            case "even" -> whole(of, line) % 2 == 0;
            case "divisibleby" -> given.size() == 1 && whole(given.getFirst(), line) != 0
                    && whole(of, line) % whole(given.getFirst(), line) == 0;
            case "equalto", "eq" -> given.size() == 1 && Values.areEqual(budget, of, given.getFirst());
            case "ne" -> given.size() == 1 && !Values.areEqual(budget, of, given.getFirst());
            case "in" -> given.size() == 1 && given.getFirst() instanceof List<?> list && Values.has(budget, list, of);
            default -> throw new TemplateException(line, "the test \"" + OneLine.of(name) + "\" is not supported.");
        };
    }

    private static long whole(@Nullable Object of, int line) throws TemplateException {
        if (of instanceof Long number) {
            return number;
        }
        throw new TemplateException(line, "the test needs a whole number.");
    }
}
