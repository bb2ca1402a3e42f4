package org.inferometer.selfcheck;

import java.util.List;
import java.util.function.Consumer;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.BackendRatio;
import org.inferometer.execution.cuda.CudaAgreement;
import org.inferometer.execution.cuda.CudaDriverProbe;
import org.inferometer.execution.cuda.CudaReport;
import org.inferometer.execution.host.HostAgreement;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.units.Clock;

/// Whether the backends compute here what a plain pass computes, as lines of the self-check; no engine is needed.
///
/// @param id of the line that says why nothing was checked
public record AgreementChecks(String id, String backend, Agreeing agreeing) implements SelfCheck.BackendChecks {
    private static final String FIRST_GPU = "0";

    /// Makes the check of one backend.
    interface Agreeing {
        /// Its lines.
        ///
        /// @param begun hears the name of each part as it begins
        /// @throws ExecutorException why it could not be made
        List<BackendRatio> ratios(Consumer<String> begun) throws ExecutorException, InterruptedException;
    }

    /// The CPU's.
    public static SelfCheck.Part host(Clock clock) {
        return part("host_agreement", "the host backend", begun -> new HostAgreement(clock, begun).ratios());
    }

    /// The first GPU's; without one the line says what is missing.
    public static SelfCheck.Part cuda(Clock clock) {
        return part("cuda_agreement", "the GPU backend", begun -> {
            CudaReport report = new CudaDriverProbe().probe();
            if (!report.available()) {
                throw new ExecutorException(report.reason());
            }
            return new CudaAgreement(clock, FIRST_GPU, begun).ratios();
        });
    }

    private static SelfCheck.Part part(String id, String backend, Agreeing agreeing) {
        return new SelfCheck.Part(List.of(id), new AgreementChecks(id, backend, agreeing));
    }

    @Override
    public List<SelfCheckResult> run(Consumer<String> begun) {
        try {
            return agreeing.ratios(begun).stream().map(ratio -> RatioLine.of("", ratio)).toList();
        } catch (ExecutorException e) {
            return List.of(notChecked(String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of(notChecked("The check was interrupted."));
        }
    }

    private SelfCheckResult notChecked(String why) {
        return SelfCheckResult.notChecked(id, "agreement of " + backend + " with a plain pass", "%", why);
    }
}
