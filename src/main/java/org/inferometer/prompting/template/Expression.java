package org.inferometer.prompting.template;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An expression of a template.
sealed interface Expression {
    /// A text, number, flag, or none.
    record Literal(@Nullable Object value) implements Expression {}

    record Items(List<Expression> items) implements Expression {}

    record Entries(List<Expression> keys, List<Expression> values) implements Expression {}

    record Name(String name) implements Expression {}

    /// `of.name` or `of[key]`.
    record Member(Expression of, Expression key) implements Expression {}

    /// `of[from:to:step]`; absent parts are null.
    record Slice(Expression of, @Nullable Expression from, @Nullable Expression to,
            @Nullable Expression step) implements Expression {}

    /// `of(...)`, or a method if `of` is a member.
    record Call(Expression of, Arguments arguments) implements Expression {}

    /// `of | name(...)`.
    record Filter(Expression of, String name, Arguments arguments) implements Expression {}

    /// `of is name(...)`.
    record Test(Expression of, String name, Arguments arguments) implements Expression {}

    record Not(Expression of) implements Expression {}

    record Negative(Expression of) implements Expression {}

    /// Two values and what joins them: "+", "==", "and", "in", …
    record Pair(String operator, Expression left, Expression right) implements Expression {}

    /// `then if condition else otherwise`; without else, nothing.
    record Choice(Expression condition, Expression then, @Nullable Expression otherwise) implements Expression {}

    /// Arguments of a call.
    record Arguments(List<Expression> values, Map<String, Expression> named) {
        static final Arguments NONE = new Arguments(List.of(), Map.of());
    }
}
