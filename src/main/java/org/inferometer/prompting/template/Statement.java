package org.inferometer.prompting.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A statement of a template.
///
/// @see Template
sealed interface Statement {
    record Text(String text) implements Statement {}

    record Value(Expression value, int line) implements Statement {}

    /// Branches in order; the last may have no condition.
    record If(List<Branch> branches) implements Statement {}

    record Branch(@Nullable Expression condition, List<Statement> body, int line) {}

    record For(List<String> names, Expression of, @Nullable Expression condition, List<Statement> body,
            List<Statement> otherwise, int line) implements Statement {}

    /// `set name = value`, `set name.attribute = value`, or a name for a rendered body.
    record Set(List<String> names, String attribute, @Nullable Expression value, List<Statement> body,
            int line) implements Statement {}

    record Macro(String name, List<String> parameters, List<@Nullable Expression> standards,
            List<Statement> body) implements Statement {}

    /// `break` or `continue`.
    record Jump(boolean leaves) implements Statement {}
}
