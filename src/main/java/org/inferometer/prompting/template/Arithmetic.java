package org.inferometer.prompting.template;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sums, products and the like, as in Python.
final class Arithmetic {
    private Arithmetic() {}

    static Object of(Budget budget, String operator, @Nullable Object left, @Nullable Object right, int line)
            throws TemplateException {
        if (operator.equals("+") && left instanceof String a && right instanceof String b) {
            budget.text((long) a.length() + b.length());
            return a + b;
        }
        if (operator.equals("+") && left instanceof List<?> a && right instanceof List<?> b) {
            budget.list((long) a.size() + b.size(), 0);
            List<@Nullable Object> both = new ArrayList<>(a);
            both.addAll(b);
            return both;
        }
        if (left instanceof Long a && right instanceof Long b) {
            return whole(operator, a, b, line);
        }
        if (left instanceof Number a && right instanceof Number b) {
            return broken(operator, a.doubleValue(), b.doubleValue(), line);
        }
        throw new TemplateException(line, "\"" + operator + "\" cannot join these values.");
    }

    private static Object whole(String operator, long a, long b, int line) throws TemplateException {
        if (b == 0 && !"+-*".contains(operator)) {
            throw new TemplateException(line, "it divides by 0.");
        }
        return switch (operator) {
            case "+" -> a + b;
            case "-" -> a - b;
            case "*" -> a * b;
            case "/" -> (double) a / b;
            case "//" -> Math.floorDiv(a, b);
            default -> Math.floorMod(a, b);
        };
    }

    private static Object broken(String operator, double a, double b, int line) throws TemplateException {
        return switch (operator) {
            case "+" -> a + b;
            case "-" -> a - b;
            case "*" -> a * b;
            case "/" -> a / b;
            case "//" -> Math.floor(a / b);
            default -> throw new TemplateException(line, "\"" + operator + "\" needs whole numbers.");
        };
    }
}
