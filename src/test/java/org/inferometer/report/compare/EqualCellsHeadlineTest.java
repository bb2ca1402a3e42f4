package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.Simulated;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.report.charts.SweptCells;
import org.inferometer.units.Seed;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Headlines over equal cells whose runs differ by 3 %: how often one of them is said to differ from another.
class EqualCellsHeadlineTest {
    private static final int EXPERIMENTS = Simulated.tries(2000);

    /// Without a baseline among them the best is compared with the worst: both were chosen by their means. 5 % and the error of simulation.
    @ParameterizedTest
    @CsvSource({"2, 5", "4, 10", "8, 5", "8, 10"})
    void theBestAndTheWorstOfEqualCellsRarelyDiffer(int cells, int runs) throws Exception {
        List<String> names = IntStream.range(0, cells).mapToObj(i -> "continuous:chunk=" + (1 << i)).toList();
        List<ComparedCell> shape = SweptCells.of(List.of("tiny-int4"), names, SweptCells.rates(2));
        Seed seed = new Seed(20_261_129).part(cells).part(runs);
        int differ = 0;
        for (int i = 0; i < EXPERIMENTS; i++) {
            RandomGenerator random = seed.part(i).generator();
            List<ComparedCell> equal = shape.stream().map(cell -> new ComparedCell(cell.label(), cell.name(),
                    cell.experiment(), of(cell.summary(), runs, random))).toList();
            String text = Headline.of(SweptCells.manifest(List.of()), equal).orElseThrow().text().toString();
            differ += text.contains("no detectable difference") ? 0 : 1;
        }
        assertThat((double) differ / EXPERIMENTS).isLessThan(0.05 + Simulated.within(0.012).value);
    }

    private static CellSummary of(CellSummary cell, int runs, RandomGenerator random) {
        List<Double> values = DoubleStream.generate(() -> 100 * Math.exp(0.03 * random.nextGaussian())).limit(runs)
                .boxed().collect(Collectors.toList());
        double mean = values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        return new CellSummary(cell.cellIndex(), cell.cell(), cell.model(), cell.precision(), runs,
                List.of(new CellFigure(Metrics.OUTPUT_THROUGHPUT, mean, 1.0, values,
                        LongStream.range(0, runs).boxed().toList(), 1000, 100, true, 1, false)));
    }
}
