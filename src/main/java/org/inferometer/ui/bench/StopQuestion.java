package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.ui.bench.LiveSnapshot.RunState;
import org.inferometer.ui.fx.Questions.Answer;

/// How a running experiment shall end: what is measured so far, and the answers with what each keeps or loses.
record StopQuestion(String detail, List<Answer<BenchState.End>> answers) {
    /// @param discards whether the results can be discarded
    static StopQuestion of(LiveRecorder recorder, boolean discards) {
        LiveSnapshot now = recorder.snapshot();
        long requests = recorder.measuredRequests();
        long ended = now.runs().stream().filter(run -> run.state() == RunState.ENDED || run.state() == RunState.FAILED)
                .count();
        String measured = now.openEnded() || now.runs().isEmpty() ? text("stop.measured-search", ended, requests)
                : text("stop.measured", ended, now.runs().size(), requests);
        List<Answer<BenchState.End>> answers = new ArrayList<>();
        answers.add(new Answer<>(BenchState.End.STOPPED, "stop-keep",
                requests == 0 ? text("stop.action") : counted("stop.keep", requests), Answer.Look.PLAIN));
        if (discards) {
            answers.add(
                    new Answer<>(BenchState.End.DISCARDED, "stop-discard", text("stop.discard"), Answer.Look.DANGER));
        }
        answers.add(new Answer<>(BenchState.End.COMPLETE, "stop-instead", text("stop.instead"), Answer.Look.DEFAULT));
        return new StopQuestion(discards ? measured + "\n" + text("stop.discard-detail") : measured, answers);
    }
}
