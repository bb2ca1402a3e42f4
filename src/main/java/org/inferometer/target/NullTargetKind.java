package org.inferometer.target;

import java.util.List;
import org.inferometer.engine.tokenizer.ByteTokenizer;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.options.Access;
import org.inferometer.options.Option;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionException;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.target.TargetKind.TargetSetup;

/// A target that does nothing, to measure the overhead of the benchmark.
public final class NullTargetKind implements TargetKind {
    private static final int VOCABULARY = 32_000;

    /// @param name shown in tables
    private record NullOptions(@Option(name = "name", standard = "null", help = "Name in tables.") String name) {}

    @Override
    public String name() {
        return "null";
    }

    @Override
    public String label() {
        return "Null target (benchmark overhead)";
    }

    @Override
    public String help() {
        return "Answers at once, to measure the limit of the benchmark itself.";
    }

    @Override
    public List<OptionDescription> options() {
        return OptionRecords.describe(NullOptions.class);
    }

    @Override
    public List<Access> accesses(Selection selection) {
        return List.of();
    }

    @Override
    public ConfiguredTarget configure(Selection selection) throws OptionException {
        OptionRecords.read(NullOptions.class, selection);
        return new ConfiguredTarget() {
            @Override
            public String model() {
                return "nothing";
            }

            @Override
            public Tokenizer tokenizer() {
                return new ByteTokenizer(VOCABULARY);
            }

            @Override
            public Target open(TargetSetup setup) {
                return NullTarget.start(setup.clock(), setup.requests());
            }
        };
    }
}
