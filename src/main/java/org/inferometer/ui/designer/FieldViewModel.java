package org.inferometer.ui.designer;

import java.util.Optional;
import java.util.function.Function;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;

/// A form field that takes what people write: it keeps the text as typed, says what it understood, and what is wrong.
///
/// A fault shows when the field is left ([#check]) and goes as soon as the text is right again.
public final class FieldViewModel<T> {
    private final String key;
    private final Function<String, T> parse;
    private final Function<T, String> understood;
    private final StringProperty text = new SimpleStringProperty("");
    private final ReadOnlyStringWrapper error = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper echo = new ReadOnlyStringWrapper("");

    /// @param key names the field in the message bundle and in the window
    /// @param parse throws IllegalArgumentException with one sentence for people
    /// @param understood the value in full: "1500 requests"
    public FieldViewModel(String key, String first, Function<String, T> parse, Function<T, String> understood) {
        this.key = key;
        this.parse = parse;
        this.understood = understood;
        text.addListener((observed, before, now) -> follow());
        text.set(first);
    }

    /// The field's name in the message bundle.
    public String key() {
        return key;
    }

    /// What is typed.
    public StringProperty text() {
        return text;
    }

    /// What is wrong, or empty.
    public ReadOnlyStringProperty error() {
        return error.getReadOnlyProperty();
    }

    /// What was understood, or empty while the text makes no sense.
    public ReadOnlyStringProperty echo() {
        return echo.getReadOnlyProperty();
    }

    /// The value, when the text makes sense.
    public Optional<T> value() {
        try {
            return Optional.of(parse.apply(text.get()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// Shows the fault, if there is one, and tells whether the field is right.
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
