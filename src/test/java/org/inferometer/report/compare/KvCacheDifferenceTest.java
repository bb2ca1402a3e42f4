package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.experiment.Subject;
import org.inferometer.options.Selection;
import org.inferometer.record.MachineDescription;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;

class KvCacheDifferenceTest {
    private static ComparedSide side(String backend, String model, long kvPositionBytes) {
        Subject subject = new Subject.EngineSubject("tiny-int4", Selection.of("naive"), Selection.parse(backend));
        MachineDescription machine =
                new MachineDescription("Linux", "amd64", "CPU", 1, 2, 1, "Java 25", 128, List.of(), "1", null);
        return new ComparedSide("a#1", "a", new Cell(subject, SampleRecords.WORKLOAD), model, List.of(), Map.of(),
                machine, List.of(), new ComparedSide.Origin("a", new ComparedSide.Part.CellPart(1), null,
                        new ComparedSide.Server.None(), ServiceObjective.NONE, "", null, kvPositionBytes, "", null),
                List.of());
    }

    @Test
    void otherBytesBehindEqualSettingsAreNamed() {
        ComparedSide without = side("cuda:kv_dtype=fp8", "tiny", 512);
        assertThat(SideDifferences.kvCache(without, side("cuda:kv_dtype=fp8", "tiny", 520)))
                .contains("The KV cache has another format with the same kv_dtype: 512 bytes a position (base), "
                        + "520 (candidate). Measure both with one version.");
        assertThat(SideDifferences.kvCache(without, without)).isEmpty();
    }

    @Test
    void settingsOrModelsExplainOtherBytes() {
        ComparedSide base = side("cuda:kv_dtype=fp8", "tiny", 512);
        assertThat(SideDifferences.kvCache(base, side("cuda", "tiny", 1024))).isEmpty();
        assertThat(SideDifferences.kvCache(base, side("host", "tiny", 2048))).isEmpty();
        assertThat(SideDifferences.kvCache(base, side("cuda:kv_dtype=fp8", "small", 2048))).isEmpty();
        assertThat(SideDifferences.kvCache(base, side("cuda:kv_dtype=fp8", "tiny", 0))).isEmpty();
    }
}
