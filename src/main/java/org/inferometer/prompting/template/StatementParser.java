package org.inferometer.prompting.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.inferometer.prompting.template.Piece.Kind;
import org.inferometer.prompting.template.Statement.Branch;
import org.jspecify.annotations.Nullable;

/// Reads the statements of a template from its pieces.
final class StatementParser {
    /// Marks of what an assistant says, for training; they print nothing.
    private static final Set<String> IGNORED = Set.of("generation", "endgeneration");
    private static final int DEEPEST = 100;

    private final List<Piece> pieces;
    private int next;
    private int depth;

    StatementParser(List<Piece> pieces) {
        this.pieces = pieces;
    }

    /// All statements to the end of the template.
    List<Statement> all() throws TemplateException {
        List<Statement> statements = body(Set.of());
        if (next < pieces.size()) {
            Piece left = pieces.get(next);
            throw new TemplateException(left.line(), "\"" + word(left) + "\" has no begin.");
        }
        return statements;
    }

    private static String word(Piece piece) {
        return piece.code().split("[\\s(]", 2)[0];
    }

    /// Statements up to one of these words, which is not taken.
    private List<Statement> body(Set<String> ends) throws TemplateException {
        List<Statement> statements = new ArrayList<>();
        while (next < pieces.size()) {
            Piece piece = pieces.get(next);
            if (piece.kind() == Kind.STATEMENT && isEnd(word(piece), ends)) {
                return statements;
            }
            next++;
            switch (piece.kind()) {
                case TEXT -> statements.add(new Statement.Text(piece.code()));
                case VALUE -> {
                    ExpressionParser in = new ExpressionParser(piece.code(), piece.line());
                    Expression value = in.expression();
                    in.requireEnd();
                    statements.add(new Statement.Value(value, piece.line()));
                }
                case STATEMENT -> {
                    if (!IGNORED.contains(word(piece))) {
                        statements.add(statement(piece));
                    }
                }
            }
        }
        return statements;
    }

    private static boolean isEnd(String word, Set<String> ends) {
        return ends.contains(word) || (ends.isEmpty()
                && (word.startsWith("end") || word.equals("else") || word.equals("elif")) && !IGNORED.contains(word));
    }

    private Statement statement(Piece piece) throws TemplateException {
        if (++depth > DEEPEST) {
            throw new TemplateException(piece.line(), "statements are nested too deep.");
        }
        ExpressionParser in = new ExpressionParser(piece.code(), piece.line());
        String word = in.name();
        Statement statement = switch (word) {
            case "if" -> branches(in, piece);
            case "for" -> loop(in, piece);
            case "set" -> set(in, piece);
            case "macro" -> macro(in, piece);
            case "break" -> new Statement.Jump(true);
            case "continue" -> new Statement.Jump(false);
            default -> throw in.fault("the statement \"" + word + "\" is not supported.");
        };
        depth--;
        return statement;
    }

    private void end(String word, Piece begin) throws TemplateException {
        if (next >= pieces.size() || !word(pieces.get(next)).equals(word)) {
            throw new TemplateException(begin.line(), "\"" + word(begin) + "\" has no \"" + word + "\".");
        }
        next++;
    }

    private Statement branches(ExpressionParser first, Piece begin) throws TemplateException {
        List<Branch> branches = new ArrayList<>();
        ExpressionParser in = first;
        int line = begin.line();
        @Nullable Expression condition = in.expression();
        in.requireEnd();
        while (true) {
            branches.add(new Branch(condition, body(Set.of("elif", "else", "endif")), line));
            if (next >= pieces.size()) {
                throw new TemplateException(begin.line(), "\"if\" has no \"endif\".");
            }
            Piece piece = pieces.get(next++);
            line = piece.line();
            if (word(piece).equals("endif")) {
                return new Statement.If(branches);
            }
            in = new ExpressionParser(piece.code(), line);
            condition = in.name().equals("elif") ? in.expression() : null;
            in.requireEnd();
        }
    }

    private Statement loop(ExpressionParser in, Piece begin) throws TemplateException {
        List<String> names = new ArrayList<>(List.of(in.name()));
        while (in.takeIf(",")) {
            names.add(in.name());
        }
        in.require("in");
        Expression of = in.withoutChoice();
        @Nullable Expression condition = in.takeIf("if") ? in.expression() : null;
        in.requireEnd();
        List<Statement> body = body(Set.of("else", "endfor"));
        List<Statement> otherwise = List.of();
        if (next < pieces.size() && word(pieces.get(next)).equals("else")) {
            next++;
            otherwise = body(Set.of("endfor"));
        }
        end("endfor", begin);
        return new Statement.For(names, of, condition, body, otherwise, begin.line());
    }

    private Statement set(ExpressionParser in, Piece begin) throws TemplateException {
        List<String> names = new ArrayList<>(List.of(in.name()));
        String attribute = in.takeIf(".") ? in.name() : "";
        while (in.takeIf(",")) {
            names.add(in.name());
        }
        if (in.takeIf("=")) {
            Expression value = in.expression();
            in.requireEnd();
            return new Statement.Set(names, attribute, value, List.of(), begin.line());
        }
        in.requireEnd();
        List<Statement> body = body(Set.of("endset"));
        end("endset", begin);
        return new Statement.Set(names, attribute, null, body, begin.line());
    }

    private Statement macro(ExpressionParser in, Piece begin) throws TemplateException {
        String name = in.name();
        List<String> parameters = new ArrayList<>();
        List<@Nullable Expression> standards = new ArrayList<>();
        in.require("(");
        while (!in.takeIf(")")) {
            parameters.add(in.name());
            standards.add(in.takeIf("=") ? in.expression() : null);
            if (!in.peek().equals(")")) {
                in.require(",");
            }
        }
        in.requireEnd();
        List<Statement> body = body(Set.of("endmacro"));
        end("endmacro", begin);
        return new Statement.Macro(name, parameters, standards, body);
    }
}
