package org.inferometer.prompting.template;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;
import org.inferometer.prompting.template.Expression.Arguments;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;

/// Reads the expressions of one piece, by the precedence of Jinja.
final class ExpressionParser {
    private static final Set<String> LONG_SIGNS = Set.of("==", "!=", "<=", ">=", "//", "**");
    private static final String SIGNS = "-+*/%~<>=|.,:()[]{}";
    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");
    private static final Set<String> OR = Set.of("or");
    private static final Set<String> AND = Set.of("and");
    private static final Set<String> SUMS = Set.of("+", "-");
    private static final Set<String> JOINS = Set.of("~");
    private static final Set<String> PRODUCTS = Set.of("*", "/", "//", "%");
    private static final Set<String> NO_OPERANDS = Set.of("and", "or", "else", "if", "is", "in", "not");
    private static final int DEEPEST = 100;

    /// Reads one operand.
    @FunctionalInterface
    private interface Operand {
        Expression read() throws TemplateException;
    }

    private final List<String> tokens = new ArrayList<>();
    private final int line;
    private int next;
    private int depth;

    ExpressionParser(String piece, int line) throws TemplateException {
        this.line = line;
        String code = piece.strip();
        for (int at = 0; at < code.length();) {
            if (isBlank(code.charAt(at))) {
                at++;
                continue;
            }
            int end = tokenEnd(code, at);
            if (end == at) {
                throw fault("\"" + OneLine.of(code.substring(at)) + "\" is not understood.");
            }
            tokens.add(code.substring(at, end));
            at = end;
        }
    }

    /// Where the token that begins at a place ends; the place itself if none does.
    private static int tokenEnd(String code, int at) {
        char first = code.charAt(at);
        if (isDigit(first)) {
            int end = end(code, at, ExpressionParser::isDigit);
            int fraction =
                    end < code.length() && code.charAt(end) == '.' ? end(code, end + 1, ExpressionParser::isDigit) : 0;
            return fraction > end + 1 ? fraction : end;
        }
        if (isLetter(first)) {
            return end(code, at, letter -> isLetter(letter) || isDigit(letter));
        }
        if (first == '"' || first == '\'') {
            int end = at + 1;
            while (end < code.length() && code.charAt(end) != first) {
                end += code.charAt(end) == '\\' ? 2 : 1;
            }
            return end < code.length() ? end + 1 : at;
        }
        if (at + 2 <= code.length() && LONG_SIGNS.contains(code.substring(at, at + 2))) {
            return at + 2;
        }
        return SIGNS.indexOf(first) >= 0 ? at + 1 : at;
    }

    private static int end(String code, int from, IntPredicate holds) {
        int end = from;
        while (end < code.length() && holds.test(code.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isBlank(char letter) {
        return letter == ' ' || (letter >= '\t' && letter <= '\r');
    }

    private static boolean isDigit(int letter) {
        return letter >= '0' && letter <= '9';
    }

    private static boolean isLetter(int letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
    }

    TemplateException fault(String sentence) {
        return new TemplateException(line, sentence);
    }

    /// The next token without taking it; empty at the end.
    String peek() {
        return next < tokens.size() ? tokens.get(next) : "";
    }

    private String peekSecond() {
        return next + 1 < tokens.size() ? tokens.get(next + 1) : "";
    }

    String take() throws TemplateException {
        if (next >= tokens.size()) {
            throw fault("it ends too early.");
        }
        return tokens.get(next++);
    }

    boolean takeIf(String token) {
        boolean found = peek().equals(token);
        next += found ? 1 : 0;
        return found;
    }

    void require(String token) throws TemplateException {
        if (!takeIf(token)) {
            throw fault("\"" + token + "\" is missing before \"" + OneLine.of(peek()) + "\".");
        }
    }

    void requireEnd() throws TemplateException {
        if (next < tokens.size()) {
            throw fault("\"" + OneLine.of(peek()) + "\" is not understood.");
        }
    }

    String name() throws TemplateException {
        String name = take();
        if (!name.matches("[A-Za-z_]\\w*")) {
            throw fault("\"" + OneLine.of(name) + "\" is no name.");
        }
        return name;
    }

    /// A whole expression.
    Expression expression() throws TemplateException {
        if (++depth > DEEPEST) {
            throw fault("it is nested too deep.");
        }
        Expression value = or();
        if (takeIf("if")) {
            Expression condition = or();
            @Nullable Expression otherwise = takeIf("else") ? expression() : null;
            value = new Expression.Choice(condition, value, otherwise);
        }
        depth--;
        return value;
    }

    /// An expression that an `if` may follow with another meaning, as in a loop's condition.
    Expression withoutChoice() throws TemplateException {
        return or();
    }

    private Expression or() throws TemplateException {
        return pairs(OR, this::and);
    }

    private Expression and() throws TemplateException {
        return pairs(AND, this::not);
    }

    /// Operands with operators between them, from the left.
    private Expression pairs(Set<String> operators, Operand operand) throws TemplateException {
        Expression left = operand.read();
        while (operators.contains(peek())) {
            left = new Expression.Pair(take(), left, operand.read());
        }
        return left;
    }

    private Expression not() throws TemplateException {
        if (takeIf("not")) {
            if (++depth > DEEPEST) {
                throw fault("it is nested too deep.");
            }
            Expression negated = new Expression.Not(not());
            depth--;
            return negated;
        }
        return comparison();
    }

    private Expression comparison() throws TemplateException {
        Expression left = sum();
        while (true) {
            if (COMPARISONS.contains(peek())) {
                left = new Expression.Pair(take(), left, sum());
            } else if (takeIf("in")) {
                left = new Expression.Pair("in", left, sum());
            } else if (peek().equals("not") && peekSecond().equals("in")) {
                next += 2;
                left = new Expression.Not(new Expression.Pair("in", left, sum()));
            } else {
                return left;
            }
        }
    }

    private Expression sum() throws TemplateException {
        return pairs(SUMS, this::joined);
    }

    private Expression joined() throws TemplateException {
        return pairs(JOINS, this::product);
    }

    private Expression product() throws TemplateException {
        return pairs(PRODUCTS, this::signed);
    }

    private Expression signed() throws TemplateException {
        if (takeIf("-")) {
            return new Expression.Negative(followed(primary()));
        }
        return tested(followed(primary()));
    }

    /// Filters and tests bind closer than operators.
    private Expression tested(Expression value) throws TemplateException {
        Expression left = value;
        while (true) {
            if (takeIf("|")) {
                left = followed(new Expression.Filter(left, name(), peek().equals("(") ? arguments() : Arguments.NONE));
            } else if (takeIf("is")) {
                boolean negated = takeIf("not");
                String test = name();
                Arguments given = peek().equals("(") ? arguments()
                        : isOperand() ? new Arguments(List.of(followed(primary())), Map.of())
                        : Arguments.NONE;
                Expression tested = new Expression.Test(left, test, given);
                left = negated ? new Expression.Not(tested) : tested;
            } else {
                return left;
            }
        }
    }

    /// Whether a test's operand follows without parentheses: "is divisibleby 2".
    private boolean isOperand() {
        return !peek().isEmpty() && !NO_OPERANDS.contains(peek())
                && (Character.isLetterOrDigit(peek().charAt(0)) || "\"'[_".indexOf(peek().charAt(0)) >= 0);
    }

    private Expression followed(Expression value) throws TemplateException {
        Expression left = value;
        while (true) {
            if (takeIf(".")) {
                left = new Expression.Member(left, new Expression.Literal(name()));
            } else if (peek().equals("(")) {
                left = new Expression.Call(left, arguments());
            } else if (takeIf("[")) {
                left = subscript(left);
            } else {
                return left;
            }
        }
    }

    private Expression subscript(Expression of) throws TemplateException {
        @Nullable Expression from = peek().equals(":") ? null : expression();
        if (takeIf("]")) {
            return new Expression.Member(of, Objects.requireNonNull(from));
        }
        require(":");
        @Nullable Expression to = peek().equals("]") || peek().equals(":") ? null : expression();
        @Nullable Expression step = takeIf(":") && !peek().equals("]") ? expression() : null;
        require("]");
        return new Expression.Slice(of, from, to, step);
    }

    private Arguments arguments() throws TemplateException {
        require("(");
        List<Expression> values = new ArrayList<>();
        Map<String, Expression> named = new LinkedHashMap<>();
        while (!takeIf(")")) {
            if (peekSecond().equals("=")) {
                String name = name();
                require("=");
                named.put(name, expression());
            } else {
                values.add(expression());
            }
            if (!peek().equals(")")) {
                require(",");
            }
        }
        return new Arguments(values, named);
    }

    private Expression primary() throws TemplateException {
        String token = take();
        char first = token.charAt(0);
        if (Character.isDigit(first)) {
            return new Expression.Literal(number(token));
        }
        if (first == '"' || first == '\'') {
            StringBuilder text = new StringBuilder(unquoted(token));
            // Texts that follow each other are one.
            while (!peek().isEmpty() && "\"'".indexOf(peek().charAt(0)) >= 0) {
                text.append(unquoted(take()));
            }
            return new Expression.Literal(text.toString());
        }
        return switch (token) {
            case "(" -> parenthesised();
            case "[" -> new Expression.Items(items("]"));
            case "{" -> entries();
            case "true", "True" -> new Expression.Literal(true);
            case "false", "False" -> new Expression.Literal(false);
            case "none", "None", "null" -> new Expression.Literal(null);
            default -> {
                if (!Character.isLetter(first) && first != '_') {
                    throw fault("\"" + OneLine.of(token) + "\" is not understood.");
                }
                yield new Expression.Name(token);
            }
        };
    }

    private Object number(String token) throws TemplateException {
        try {
            return token.contains(".") ? (Object) Double.valueOf(token) : (Object) Long.valueOf(token);
        } catch (NumberFormatException e) {
            throw fault("the number " + OneLine.of(token) + " is too large.");
        }
    }

    private Expression parenthesised() throws TemplateException {
        List<Expression> items = new ArrayList<>();
        boolean list = false;
        while (!takeIf(")")) {
            items.add(expression());
            if (!peek().equals(")")) {
                require(",");
                list = true;
            }
        }
        return items.size() == 1 && !list ? items.getFirst() : new Expression.Items(items);
    }

    private List<Expression> items(String end) throws TemplateException {
        List<Expression> items = new ArrayList<>();
        while (!takeIf(end)) {
            items.add(expression());
            if (!peek().equals(end)) {
                require(",");
            }
        }
        return items;
    }

    private Expression entries() throws TemplateException {
        List<Expression> keys = new ArrayList<>();
        List<Expression> values = new ArrayList<>();
        while (!takeIf("}")) {
            keys.add(expression());
            require(":");
            values.add(expression());
            if (!peek().equals("}")) {
                require(",");
            }
        }
        return new Expression.Entries(keys, values);
    }

    private static String unquoted(String token) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < token.length() - 1; i++) {
            char letter = token.charAt(i);
            if (letter != '\\') {
                text.append(letter);
                continue;
            }
            char escaped = token.charAt(++i);
            int digits = escaped == 'x' ? 2 : escaped == 'u' ? 4 : 0;
            String code = token.substring(i + 1, Math.min(token.length() - 1, i + 1 + digits));
            switch (escaped) {
                case 'n' -> text.append('\n');
                case 't' -> text.append('\t');
                case 'r' -> text.append('\r');
                case '\\', '\'', '"' -> text.append(escaped);
                case '\n' -> text.append("");
                default -> {
                    if (digits > 0 && code.length() == digits && code.chars().allMatch(HexFormat::isHexDigit)) {
                        text.append((char) Integer.parseInt(code, 16));
                        i += digits;
                    } else {
                        text.append('\\').append(escaped);
                    }
                }
            }
        }
        return text.toString();
    }
}
