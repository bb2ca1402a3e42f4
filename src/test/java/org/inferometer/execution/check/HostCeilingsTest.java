package org.inferometer.execution.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;

class HostCeilingsTest {
    @Test
    void ceilingsAndDecodeAreMeasured() throws Exception {
        HostCeilings ceilings = new HostCeilings(new SystemClock(), 2, 1_000_000);
        List<BackendFigure> figures = new ArrayList<>(ceilings.decode());
        figures.add(ceilings.prefill());
        assertThat(figures).extracting(BackendFigure::id, BackendFigure::unit).containsExactly(
                tuple("host_decode_int4", "x"), tuple("host_decode_int8", "x"), tuple("host_decode_fp8", "x"),
                tuple("host_decode_bf16", "x"), tuple("host_decode_ceiling", "GB/s"),
                tuple("host_prefill_ceiling", "GFLOP/s"));
        assertThat(figures).allSatisfy(figure -> assertThat(figure.value()).isPositive().isFinite());
    }
}
