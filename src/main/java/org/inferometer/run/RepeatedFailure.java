package org.inferometer.run;

import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;

/// Counts runs in a row that failed with one cause before any measured request succeeded. For one thread.
final class RepeatedFailure {
    /// Runs after which further ones are not worth a try.
    static final int MOST = 3;

    private String cause = "";
    private int runs;

    /// Whether the target itself reported that it can serve no request, as a server that refuses the key does.
    static boolean isTargetUnusable(RunRecord record) {
        String failure = record.manifest().outcome().failure();
        return record.manifest().status() == RunStatus.FAILED && record.events().stream().anyMatch(
                event -> event instanceof RunEvent.TargetMessage(long _, String text) && failure.startsWith(text));
    }

    /// Adds a run and returns whether the last [#MOST] ones failed alike.
    boolean isHopelessAfter(RunRecord record) {
        RunManifest run = record.manifest();
        boolean measured =
                record.observations().requests().stream().anyMatch(request -> !request.warmUp() && request.ok());
        if (measured || run.status() != RunStatus.FAILED) {
            runs = 0;
            return false;
        }
        // Folders and process numbers differ between the runs.
        String alike = run.outcome().failure().replace(run.plan().folderName(), "").replaceAll("\\d+", "0");
        runs = alike.equals(cause) ? runs + 1 : 1;
        cause = alike;
        return runs >= MOST;
    }
}
