package org.inferometer.ui.designer;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import org.inferometer.experiment.Field;

/// A text field with its parsed value and its fault.
///
/// A fault appears when the field loses the focus ([#check]) and disappears once the text is valid.
public sealed class FieldViewModel<T> permits OptionViewModel {
    private final FieldNaming naming;
    private final Function<String, T> parse;
    private final Function<T, String> understood;
    private final StringProperty text = new SimpleStringProperty("");
    private final ReadOnlyStringWrapper error = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper echo = new ReadOnlyStringWrapper("");

    /// The words around a field.
    ///
    /// @param key names it in the window
    /// @param label for people
    /// @param help what it is, in one sentence
    /// @param empty what an empty text stands for: "none"; empty where the field needs a value
    public record FieldNaming(String key, String label, String help, String empty) {}

    /// @param parse throws IllegalArgumentException with one sentence
    /// @param understood formats the parsed value: "1500 requests"
    FieldViewModel(FieldNaming naming, String first, Function<String, T> parse, Function<T, String> understood) {
        this.naming = naming;
        this.parse = parse;
        this.understood = understood;
        text.addListener((observed, before, now) -> follow());
        text.set(first);
    }

    /// A field that needs a value.
    static <T> FieldViewModel<T> of(Field<?, ?> field, String first, Function<String, T> parse,
            Function<T, String> understood) {
        return of(field, "", first, parse, understood);
    }

    /// A field of an experiment or a workload: names, help and values are those of its table.
    ///
    /// @param empty what an empty text stands for: "none"; empty where the field needs a value
    /// @param parse throws IllegalArgumentException with one sentence
    /// @param understood formats the parsed value: "1500 requests"
    static <T> FieldViewModel<T> of(Field<?, ?> field, String empty, String first, Function<String, T> parse,
            Function<T, String> understood) {
        return new FieldViewModel<>(new FieldNaming(key(field), field.naming().label(), field.help(), empty), first,
                parse, understood);
    }

    /// A field of the table that takes one value; an empty text is none where the field can be unset.
    static <R extends Record, T> FieldViewModel<List<T>> of(Field<R, T> field, R standard) {
        boolean optional = field.write(standard).isEmpty();
        String unit = field.type().unit();
        return of(field, optional ? field.standard() : "", String.join(", ", field.write(standard)),
                typed -> optional && typed.isBlank() ? List.of() : field.parse(typed), values -> values.stream()
                        .map(value -> understood(field.type().write(value), unit)).collect(Collectors.joining(", ")));
    }

    /// "3 runs of each cell", "1 run of each cell".
    private static String understood(String value, String unit) {
        String counted = value.equals("1") ? unit.replaceFirst("s\\b", "") : unit;
        return counted.isEmpty() ? value : value + " " + counted;
    }

    /// Names a field in the window.
    static String key(Field<?, ?> field) {
        return "field." + field.name().replace('_', '-');
    }

    /// The words around it.
    public FieldNaming naming() {
        return naming;
    }

    public StringProperty text() {
        return text;
    }

    /// The error, or empty.
    public ReadOnlyStringProperty error() {
        return error.getReadOnlyProperty();
    }

    /// The parsed value as text; empty while invalid.
    public ReadOnlyStringProperty echo() {
        return echo.getReadOnlyProperty();
    }

    /// The parsed value; empty while invalid.
    public Optional<T> value() {
        try {
            return Optional.of(parse.apply(text.get()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// What is wrong, whether it is shown or not; empty while valid.
    Optional<String> fault() {
        try {
            Objects.requireNonNull(parse.apply(text.get()), naming.key());
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /// Shows the fault, if any. Whether the field is valid.
    public boolean check() {
        try {
            echo.set(understood.apply(parse.apply(text.get())));
            error.set("");
            return true;
        } catch (IllegalArgumentException e) {
            error.set(String.valueOf(e.getMessage()));
            return false;
        }
    }

    private void follow() {
        Optional<T> value = value();
        echo.set(value.map(understood).orElse(""));
        if (value.isPresent()) {
            error.set("");
        }
    }
}
