package org.inferometer.execution.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.units.LetterCase;

/// The figures of an agreement check: one for all cases, and one for each failed case.
///
/// @param backend prefix of the ids: "cuda"
/// @param tolerance description for messages
/// @param cases all cases
public record Agreement(String backend, String tolerance, List<AgreementCase> cases) {
    /// How much an agreement check computes.
    ///
    /// @param odd on models whose widths are no multiples of vectors or tiles
    /// @param wide on models wide enough for every tile of a product
    /// @param vocabulary of the model for the sampling check
    /// @param sampledSteps steps of the sampling check
    public record Load(AgreementExtent odd, AgreementExtent wide, int vocabulary, int sampledSteps) {}

    /// Opens an executor of the checked backend.
    @FunctionalInterface
    interface Opening {
        /// @throws ExecutorException if the backend refuses the model
        Executor open(RandomModel model, ExecutorSizes sizes) throws ExecutorException;
    }

    private static final int MOST_LINES = 20;
    private static final double LIMIT_PERCENT = 100;

    public Agreement {
        cases = List.copyOf(cases);
    }

    /// The largest deviation as a share of the tolerance, then the first twenty failed cases.
    public List<BackendFigure> ratios() {
        List<AgreementCase> failed = cases.stream().filter(each -> !each.agrees()).toList();
        List<BackendFigure> ratios = new ArrayList<>();
        ratios.add(new BackendFigure(backend + "_agreement",
                "largest deviation of a logit from the reference pass, as a share of the tolerance",
                failed.stream().anyMatch(each -> !each.fault().isEmpty()) ? Double.NaN
                        : LIMIT_PERCENT * worst().worstShare(),
                "%", false, LIMIT_PERCENT, sentence(failed)));
        failed.stream().limit(MOST_LINES).forEach(each -> ratios.add(line(each)));
        return ratios;
    }

    private AgreementCase worst() {
        return cases.stream().max(Comparator.comparingDouble(AgreementCase::worstShare)).orElseThrow();
    }

    private String sentence(List<AgreementCase> failed) {
        long compared = cases.stream().mapToLong(AgreementCase::compared).sum();
        String counted =
                String.format(Locale.ROOT, "%,d logits of %d cases within %s", compared, cases.size(), tolerance);
        AgreementCase worst = worst();
        if (failed.isEmpty()) {
            return counted + "; the worst is " + worst.name() + ": " + worst.sentence();
        }
        return failed.size() + " of " + cases.size() + " cases fail: "
                + failed.stream().map(AgreementCase::name).collect(Collectors.joining("; "))
                + ". Do not trust this backend's results on this machine.";
    }

    private BackendFigure line(AgreementCase failed) {
        String id = LetterCase.lower(failed.name()).replaceAll("[^a-z0-9]+", "_");
        return new BackendFigure(backend + "_agreement_" + id, "agreement of " + failed.name(),
                failed.fault().isEmpty() ? LIMIT_PERCENT * failed.worstShare() : Double.NaN, "%", false,
                OptionalDouble.of(LIMIT_PERCENT), failed.sentence());
    }
}
