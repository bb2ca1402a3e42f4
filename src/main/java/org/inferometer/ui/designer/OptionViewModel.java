package org.inferometer.ui.designer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.experiment.FieldType;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionKind;
import org.inferometer.options.Selection;
import org.inferometer.ui.fx.Messages;
import org.inferometer.units.QuantityText;

/// One option in the form.
public final class OptionViewModel extends FieldViewModel<String> {
    private final OptionDescription description;

    /// Starts at the option's default.
    public OptionViewModel(OptionDescription description) {
        super(new FieldNaming(description.name(), description.label(), description.help(), description.standard()),
                description.standard(), typed -> written(description, typed), value -> "");
        this.description = description;
    }

    public OptionDescription description() {
        return description;
    }

    public boolean valid() {
        return value().isPresent();
    }

    /// The value for a specification; empty at its default and while invalid.
    public Optional<String> changed() {
        return value().filter(value -> !value.equals(description.standard()));
    }

    /// Restores the default.
    public void reset() {
        text().set(description.standard());
    }

    /// Loads the options of a selection; the others get their defaults.
    static void load(List<OptionViewModel> options, Selection selection) {
        options.forEach(option -> {
            option.reset();
            selection.options().forEach((name, value) -> {
                if (option.description.answersTo(name)) {
                    option.text().set(value);
                }
            });
        });
    }

    /// A selection with the options that differ from their defaults.
    static Selection selection(Selection base, List<OptionViewModel> options) {
        Map<String, String> written = new LinkedHashMap<>(base.options());
        options.forEach(option -> option.changed().ifPresent(value -> written.put(option.description.name(), value)));
        return new Selection(base.name(), written);
    }

    /// Name on the command line, help, range and default.
    String help() {
        String unit = description.unit().isEmpty() ? "" : " " + description.unit();
        return Messages.text("designer.option-help", description.name(), description.help(), description.range() + unit,
                description.standard());
    }

    private static String written(OptionDescription description, String typed) {
        return switch (description.kind()) {
            case OptionKind.Whole(long min, long max) -> {
                long value = QuantityText.parseCount(typed);
                if (value < min || value > max) {
                    throw new IllegalArgumentException(expected(description));
                }
                yield Long.toString(value);
            }
            case OptionKind.Decimal(double min, double max) -> {
                double value = decimal(description, typed, min, max);
                double standard = Double.parseDouble(description.standard());
                yield value == standard ? description.standard() : FieldType.plain(value);
            }
            case OptionKind.Flag() -> oneOf(description, typed, typed.equals("true") || typed.equals("false"));
            case OptionKind.Choice(var words) -> oneOf(description, typed, words.contains(typed));
            case OptionKind.Text() -> oneOf(description, typed, !typed.contains(","));
        };
    }

    private static double decimal(OptionDescription description, String typed, double min, double max) {
        try {
            return FieldType.decimal(min, max, "a number").read(typed);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(expected(description), e);
        }
    }

    private static String oneOf(OptionDescription description, String typed, boolean known) {
        if (!known) {
            throw new IllegalArgumentException(expected(description));
        }
        return typed;
    }

    private static String expected(OptionDescription description) {
        return Messages.text("field.expected",
                description.range() + (description.unit().isEmpty() ? "" : " " + description.unit()));
    }
}
