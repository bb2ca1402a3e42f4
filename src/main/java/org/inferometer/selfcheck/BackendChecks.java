package org.inferometer.selfcheck;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.inferometer.execution.Backend;
import org.inferometer.execution.BackendCheck;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.ExecutorException;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.record.SelfCheckResult.Bound;
import org.inferometer.record.SelfCheckResult.State;
import org.inferometer.units.Clock;

/// The checks that backends offer, as parts of the self-check.
public final class BackendChecks {
    private BackendChecks() {}

    /// A part for each check of each backend; a backend that is absent on this machine gives one result with the reason.
    public static List<SelfCheck.CheckPart> parts(List<Backend> backends, Clock clock) {
        List<SelfCheck.CheckPart> parts = new ArrayList<>();
        for (Backend backend : backends) {
            for (BackendCheck check : backend.checks(clock)) {
                parts.add(part(check, backend::absence));
            }
        }
        return parts;
    }

    /// @param absence of its backend: the reason, or empty
    static SelfCheck.CheckPart part(BackendCheck check, Supplier<Optional<String>> absence) {
        return new SelfCheck.CheckPart(List.of(check.id()),
                progress -> run(check, absence, check.measurement(), progress),
                check.small().map(small -> progress -> run(check, absence, small, progress).stream()
                        .map(SmallSizes::marked).toList()));
    }

    private static List<SelfCheckResult> run(BackendCheck check, Supplier<Optional<String>> absence,
            BackendCheck.Measurement measurement, Consumer<String> progress) {
        Optional<String> absent = absence.get();
        if (absent.isPresent()) {
            return List.of(notChecked(check, absent.get()));
        }
        progress.accept(check.name());
        try {
            return measurement.run(progress).stream().map(BackendChecks::result).toList();
        } catch (ExecutorException e) {
            return List.of(notChecked(check, String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of(notChecked(check, "The check was interrupted."));
        }
    }

    private static SelfCheckResult notChecked(BackendCheck check, String reason) {
        return SelfCheckResult.notChecked(check.id(), check.name(), check.unit(), reason);
    }

    private static SelfCheckResult result(BackendFigure figure) {
        OptionalDouble limit = figure.limit();
        Bound bound = limit.isEmpty() ? Bound.NONE : figure.higherIsBetter() ? Bound.AT_LEAST : Bound.AT_MOST;
        return new SelfCheckResult(figure.id(), figure.name(),
                Double.isFinite(figure.value()) ? Double.valueOf(figure.value()) : null, figure.unit(), bound,
                limit.isEmpty() ? null : Double.valueOf(limit.getAsDouble()),
                figure.withinLimit() ? State.PASSED : State.FAILED, figure.sentence());
    }
}
