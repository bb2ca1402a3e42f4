package org.inferometer.cli.suite;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.inferometer.cli.UsageException;
import org.inferometer.suite.NameExpression;
import org.inferometer.suite.NameExpression.Condition;
import org.inferometer.suite.TestSelection;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.FileFault;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options that choose test configurations.
final class SelectionOptions {
    private static final String GPU_TYPE = "GPU_TYPE";

    @Option(names = "--type", paramLabel = "TYPE", description = "Only tests of this type: disagg, wideep.")
    @Nullable
    String type;

    @Option(names = "--category", paramLabel = "CATEGORY",
            description = "Only tests of this category: perf, accuracy, stress.")
    @Nullable
    String category;

    @Option(names = "--gpu", paramLabel = "GPU",
            description = "Only tests that support this GPU; GB200_x counts as GB200. Default: GPU_TYPE, else all.")
    @Nullable
    String gpu;

    @Option(names = {"-m", "--marks"}, paramLabel = "CONDITION",
            description = "Only tests whose type or category meets a condition: \"perf and not wideep\".")
    @Nullable
    String marks;

    @Option(names = {"-k", "--names"}, paramLabel = "CONDITION",
            description = "Only tests whose id meets a condition on its parts: \"1k1k and not tep8\".")
    @Nullable
    String names;

    @Option(names = "--test-list", paramLabel = "FILE",
            description = "Only the tests of a file: an id or a pytest node a line, # for comments.")
    @Nullable
    Path list;

    TestSelection selection(EnvironmentVariables environment) throws UsageException {
        List<String> faults = new ArrayList<>();
        Optional<Condition> bySet = parsed("-m", marks, NameExpression::parse, faults);
        Optional<Condition> byName = parsed("-k", names, NameExpression::parse, faults);
        Optional<Set<String>> listed = Optional.empty();
        if (list != null) {
            try {
                listed = Optional.of(TestSelection.list(list));
            } catch (IOException e) {
                faults.add(FileFault.sentence(e));
            }
        }
        UsageException.throwIfAny(faults);
        Optional<String> wanted =
                Optional.ofNullable(gpu).or(() -> environment.value(GPU_TYPE)).filter(name -> !name.isBlank());
        return new TestSelection(Optional.ofNullable(type), Optional.ofNullable(category), wanted, bySet, byName,
                listed);
    }

    /// What the text of an option means; empty without it, or with a fault.
    ///
    /// @param parse throws [IllegalArgumentException] with the fault
    static <T> Optional<T> parsed(String option, @Nullable String text, Function<String, T> parse,
            List<String> faults) {
        try {
            return Optional.ofNullable(text).map(parse);
        } catch (IllegalArgumentException e) {
            faults.add(option + ": " + e.getMessage());
            return Optional.empty();
        }
    }
}
