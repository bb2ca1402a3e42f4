package org.inferometer.app;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.inferometer.cli.MachineServices;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.selfcheck.SelfCheck;

/// The self-check, kept with the results where all of it was run, so that runs can be judged against it.
record KeptSelfCheck(SelfCheck checks, Program program) implements MachineServices.SelfCheck {
    @Override
    public Optional<String> fault(String only) {
        return checks.fault(only);
    }

    @Override
    public List<SelfCheckResult> run(String only, Consumer<String> begun) {
        List<SelfCheckResult> results = checks.run(only, begun);
        if (only.isEmpty()) {
            try {
                program.selfChecks().save(program.clock().wall(), program.machine(), results);
            } catch (IOException e) {
                System.getLogger(KeptSelfCheck.class.getName()).log(System.Logger.Level.WARNING,
                        "The self-check could not be kept", e);
            }
        }
        return results;
    }
}
