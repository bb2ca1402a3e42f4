package org.inferometer.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionRecordsTest {
    enum Strategy {
        ROUND_ROBIN, SMART
    }

    record Sample(
            @Option(name = "streams", aliases = "s", standard = "2", min = 2, max = 16, unit = "lanes",
                    help = "Lanes.") int streams,
            @Option(name = "load_balancing_strategy", aliases = "strategy", standard = "smart",
                    help = "Strategy.") Strategy strategy,
            @Option(name = "timeout", standard = "0.5", min = 0, max = 60, unit = "s",
                    help = "Timeout.") double timeoutSeconds,
            @Option(name = "fusion", standard = "false", help = "Fusion.") boolean fusion) {}

    @Test
    void everythingLeftOutTakesItsDefault() throws OptionException {
        assertThat(OptionRecords.read(Sample.class, Selection.of("sample")))
                .isEqualTo(new Sample(2, Strategy.SMART, 0.5, false));
    }

    @Test
    void namesAndAliasesAreRead() throws OptionException {
        assertThat(OptionRecords.read(Sample.class,
                Selection.parse("sample:s=3,strategy=round_robin,timeout=2,fusion=true")))
                .isEqualTo(new Sample(3, Strategy.ROUND_ROBIN, 2, true));
    }

    @Test
    void allFaultsAreSaidAtOnceWithNearMissesAndRanges() {
        assertThatThrownBy(() -> OptionRecords.read(Sample.class,
                Selection.parse("sample:stream=3,streams=1,strategy=fast,fusion=yes")))
                .isInstanceOfSatisfying(OptionException.class, e -> assertThat(e.faults()).containsExactly(
                        "Unknown option of sample \"stream\". Did you mean streams? Valid: streams, load_balancing_strategy, timeout, fusion.",
                        "sample: streams=1: expected 2 to 16 lanes.",
                        "sample: load_balancing_strategy=fast: expected round_robin, smart.",
                        "sample: fusion=yes: expected true or false."));
    }

    @Test
    void notANumberIsOutOfEveryRange() {
        assertThatThrownBy(() -> OptionRecords.read(Sample.class, Selection.parse("sample:timeout=NaN")))
                .isInstanceOf(OptionException.class);
    }

    @Test
    void descriptionsCarryWhatTheAnnotationSays() {
        assertThat(OptionRecords.describe(Sample.class).getFirst()).isEqualTo(
                new OptionDescription("streams", List.of("s"), new OptionKind.Whole(2, 16), "2", "lanes", "Lanes."));
    }

    @Test
    void aSelectionIsWrittenAsItIsRead() {
        Selection selection = new Selection("parallel", Map.of("streams", "3"));
        assertThat(Selection.parse(selection.toString())).isEqualTo(selection);
        assertThat(Selection.parse("naive")).isEqualTo(Selection.of("naive"));
        assertThatThrownBy(() -> Selection.parse("naive:batch")).hasMessageContaining("is not an option");
    }
}
