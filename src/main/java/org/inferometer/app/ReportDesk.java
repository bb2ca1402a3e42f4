package org.inferometer.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.benchmark.ExperimentRecord;
import org.inferometer.cli.ResultServices;

final class ReportDesk implements ResultServices.Desk {
    @Override
    public String summary(ExperimentRecord experiment, int columns) {
        StringBuilder text = new StringBuilder();
        experiment.manifest().cells().forEach(cell -> {
            text.append(cell.cell().label()).append('\n');
            cell.figures().forEach(f -> text.append("  ").append(f.metric().id()).append(' ').append(f.mean()).append(" n=").append(f.n()).append('\n'));
        });
        return text.toString();
    }

    @Override
    public byte[] report(List<ExperimentRecord> experiments, ResultServices.ReportFormat format) {
        return new byte[0];
    }

    @Override
    public List<Path> charts(List<ExperimentRecord> experiments, Path folder) throws IOException {
        return List.of();
    }
}
