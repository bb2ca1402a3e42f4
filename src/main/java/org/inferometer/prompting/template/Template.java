package org.inferometer.prompting.template;

import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A chat template of a model. Any thread may render it.
///
/// Published templates are Jinja with the settings of the transformers library. What they use is supported; anything else is refused by
/// name. A template reaches nothing but its values, and its steps, output and depth are bounded: it may come from a stranger.
///
/// @see <a href="https://jinja.palletsprojects.com/en/stable/templates/">Jinja's templates</a>
public final class Template {
    /// Longer templates are refused.
    public static final int MOST_CHARACTERS = 1 << 20;

    private final List<Statement> statements;

    private Template(List<Statement> statements) {
        this.statements = statements;
    }

    /// Reads a template.
    ///
    /// @throws TemplateException in one sentence with the line
    public static Template parse(String text) throws TemplateException {
        if (text.length() > MOST_CHARACTERS) {
            throw new TemplateException(1, "it has more than " + MOST_CHARACTERS + " characters.");
        }
        try {
            return new Template(new StatementParser(Piece.of(text)).all());
        } catch (StackOverflowError e) {
            throw new TemplateException(1, "it is nested too deep.");
        }
    }

    /// Renders it.
    ///
    /// @param values text, `Long`, `Double`, `Boolean`, null, lists and maps of these, by name
    /// @param now what `strftime_now` prints
    /// @throws TemplateException in one sentence, also if the template itself refuses the values
    public String render(Map<String, @Nullable Object> values, LocalDateTime now) throws TemplateException {
        return new Renderer(values, now).render(statements);
    }
}
