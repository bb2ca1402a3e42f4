package org.inferometer.prompting.template;

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.inferometer.prompting.template.Statement.Branch;
import org.inferometer.prompting.template.Values.Namespace;
import org.jspecify.annotations.Nullable;

/// Renders statements with values, once. One thread.
final class Renderer {
    private final Budget budget = new Budget();
    private final Scopes scopes;
    private final Evaluator evaluator;
    private StringBuilder out = new StringBuilder();
    private int line = 1;

    /// How a body ended.
    private enum Flow {
        ON, LEAVE, NEXT
    }

    /// A macro that can be called.
    record Callable(Statement.Macro macro) {}

    Renderer(Map<String, @Nullable Object> values, LocalDateTime now) {
        scopes = new Scopes(values, budget);
        evaluator = new Evaluator(scopes, budget, this::called, now);
    }

    String render(List<Statement> statements) throws TemplateException {
        try {
            run(statements);
        } catch (Values.Unusable e) {
            throw new TemplateException(line, Objects.requireNonNull(e.getMessage()));
        } catch (StackOverflowError e) {
            throw new TemplateException(line, "it is nested too deep.");
        }
        return out.toString();
    }

    private Flow run(List<Statement> statements) throws TemplateException {
        for (Statement statement : statements) {
            budget.step();
            Flow flow = run(statement);
            if (flow != Flow.ON) {
                return flow;
            }
        }
        return Flow.ON;
    }

    private Flow run(Statement statement) throws TemplateException {
        switch (statement) {
            case Statement.Text(String text) -> print(text);
            case Statement.Value(Expression value, int at) -> {
                line = at;
                print(Values.text(budget, evaluator.value(value, at)));
            }
            case Statement.If(List<Branch> branches) -> {
                return branch(branches);
            }
            case Statement.For loop -> loop(loop);
            case Statement.Set set -> set(set);
            case Statement.Macro macro -> scopes.set(macro.name(), new Callable(macro));
            case Statement.Jump(boolean leaves) -> {
                return leaves ? Flow.LEAVE : Flow.NEXT;
            }
        }
        return Flow.ON;
    }

    private void print(String text) {
        budget.text(text.length());
        Budget.requireText((long) out.length() + text.length());
        out.append(text);
    }

    private Flow branch(List<Branch> branches) throws TemplateException {
        for (Branch branch : branches) {
            line = branch.line();
            Expression condition = branch.condition();
            if (condition == null || Values.isTrue(evaluator.value(condition, line))) {
                return run(branch.body());
            }
        }
        return Flow.ON;
    }

    private void loop(Statement.For loop) throws TemplateException {
        line = loop.line();
        List<@Nullable Object> items = new ArrayList<>();
        scopes.enter(line);
        try {
            for (Object item : evaluator.items(evaluator.value(loop.of(), line), line)) {
                budget.step();
                evaluator.assign(loop.names(), item, line);
                Expression condition = loop.condition();
                if (condition == null || Values.isTrue(evaluator.value(condition, line))) {
                    items.add(item);
                }
            }
        } finally {
            scopes.leave();
        }
        if (items.isEmpty()) {
            run(loop.otherwise());
        }
        for (int i = 0; i < items.size(); i++) {
            budget.step();
            scopes.enter(line);
            try {
                evaluator.assign(loop.names(), items.get(i), line);
                scopes.set("loop", state(items, i));
                if (run(loop.body()) == Flow.LEAVE) {
                    return;
                }
            } finally {
                scopes.leave();
            }
        }
    }

    private Map<String, @Nullable Object> state(List<@Nullable Object> items, int i) {
        budget.map(9);
        Map<String, @Nullable Object> state = new HashMap<>();
        state.put("index", i + 1L);
        state.put("index0", (long) i);
        state.put("revindex", (long) items.size() - i);
        state.put("revindex0", (long) items.size() - i - 1);
        state.put("first", i == 0);
        state.put("last", i == items.size() - 1);
        state.put("length", (long) items.size());
        state.put("previtem", i == 0 ? new Values.Undefined("previtem") : items.get(i - 1));
        state.put("nextitem", i == items.size() - 1 ? new Values.Undefined("nextitem") : items.get(i + 1));
        return state;
    }

    private void set(Statement.Set set) throws TemplateException {
        line = set.line();
        Expression given = set.value();
        Object value = given == null ? rendered(set.body()) : evaluator.value(given, line);
        if (set.attribute().isEmpty()) {
            evaluator.assign(set.names(), value, line);
        } else if (scopes.get(set.names().getFirst()) instanceof Namespace(Map<String, @Nullable Object> attributes)) {
            attributes.put(budget.key(set.attribute()), value);
        } else {
            throw new TemplateException(line, "only attributes of a namespace can be set.");
        }
    }

    /// The text of a body, apart from the output.
    private String rendered(List<Statement> body) throws TemplateException {
        StringBuilder before = out;
        out = new StringBuilder();
        try {
            run(body);
            budget.text(out.length());
            return out.toString();
        } finally {
            out = before;
        }
    }

    /// Calls a macro.
    private @Nullable Object called(Object of, List<@Nullable Object> values, Map<String, @Nullable Object> named,
            int at) throws TemplateException {
        if (!(of instanceof Callable(Statement.Macro macro))) {
            throw new TemplateException(at, "it calls what is no function.");
        }
        scopes.enter(at);
        try {
            for (int i = 0; i < macro.parameters().size(); i++) {
                String parameter = macro.parameters().get(i);
                Expression standard = macro.standards().get(i);
                scopes.set(parameter,
                        i < values.size() ? values.get(i)
                                : named.containsKey(budget.key(parameter)) ? named.get(parameter)
                                : standard != null ? evaluator.value(standard, at)
                                : new Values.Undefined(parameter));
            }
            return rendered(macro.body());
        } finally {
            scopes.leave();
            line = at;
        }
    }
}
