package org.inferometer.target.http;

import java.util.Map;
import java.util.Optional;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.target.Target;
import org.inferometer.target.TargetException;
import org.inferometer.target.TargetKind.TargetSetup;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestDeadlines;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;
import org.inferometer.workload.StopRule;

/// Opens targets on servers and makes requests for them.
final class Servers {
    private Servers() {}

    static Target open(ScriptedServer server, RecordingListener account, String more) throws TargetException {
        return open(server.url(), account, more, Map.of());
    }

    /// A target that reports prompts and answers as text.
    static Target openKeepingText(ScriptedServer server, RecordingListener account, String more) throws Exception {
        return new HttpTargetKind(name -> Optional.empty())
                .configure(Selection.parse("http:url=" + server.url() + more))
                .open(new TargetSetup(new SystemClock(), account, account, 20, true, 0, null));
    }

    /// A target of a run with its own prompts.
    static Target openVaried(ScriptedServer server, RecordingListener account, long promptSeed, String more)
            throws Exception {
        return new HttpTargetKind(name -> Optional.empty())
                .configure(Selection.parse("http:url=" + server.url() + more))
                .open(new TargetSetup(new SystemClock(), account, account, 20, false, promptSeed, null));
    }

    static Target open(String url, RecordingListener account, String more, Map<String, String> environment)
            throws TargetException {
        Selection selection = Selection.parse("http:url=" + url + (more.isEmpty() ? "" : "," + more));
        HttpTargetKind kind = new HttpTargetKind(name -> Optional.ofNullable(environment.get(name)));
        try {
            return kind.configure(selection).open(new TargetSetup(new SystemClock(), account, account, 20));
        } catch (OptionException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    static Request request(int id, int promptTokens, int outputTokens) {
        return request(id, promptTokens, outputTokens, RequestDeadlines.NONE);
    }

    static Request request(int id, int promptTokens, int outputTokens, RequestDeadlines patience) {
        int[] prompt = new int[promptTokens];
        for (int i = 0; i < promptTokens; i++) {
            prompt[i] = 100 + i;
        }
        return new Request(new RequestId(id), prompt, StopRule.length(outputTokens), new Arrival.WhenFree(0),
                Sampling.GREEDY, patience, null);
    }
}
