package org.inferometer.cli.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Field;
import org.inferometer.experiment.Field.Arity;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// The options of `run` that are fields of an experiment, made from their table.
final class RunOptions {
    /// Puts them before the other options in the help.
    private static final int FIRST = -1000;

    private RunOptions() {}

    static void addTo(CommandSpec command) {
        int order = FIRST;
        for (Field<ExperimentSpec, ?> field : ExperimentFields.ALL) {
            String option = field.option();
            if (option != null) {
                command.addOption(described(field, option).order(order++).build());
            }
        }
    }

    private static OptionSpec.Builder described(Field<ExperimentSpec, ?> field, String option) {
        String standard = ExperimentFields.standard(field);
        String label = field.type().label() + (field.arity() == Arity.LIST ? "[," + field.type().label() + "...]" : "");
        OptionSpec.Builder described = OptionSpec.builder(option).paramLabel(label)
                // picocli takes a description for a format.
                .description(
                        (field.help() + (standard.isEmpty() ? "" : " Default: " + standard + ".")).replace("%", "%%"));
        if (field.arity() == Arity.FLAG) {
            return described.type(String.class).arity("0..1").fallbackValue("true");
        }
        return field.arity() == Arity.ONE ? described.type(String.class)
                : described.type(List.class).auxiliaryTypes(String.class);
    }

    /// The texts of the options that were given.
    static Map<String, List<String>> given(ParseResult parsed) {
        Map<String, List<String>> given = new LinkedHashMap<>();
        for (Field<ExperimentSpec, ?> field : ExperimentFields.ALL) {
            String option = field.option();
            if (option != null && parsed.hasMatchedOption(option)) {
                given.put(option,
                        field.arity() == Arity.ONE || field.arity() == Arity.FLAG
                                ? List.of(parsed.<String>matchedOptionValue(option, ""))
                                : parsed.matchedOptionValue(option, List.of()));
            }
        }
        return given;
    }
}
