package org.inferometer.target.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;

/// The messages of sessions: a later turn sends the answers that the turns before got, in place of the drawn stand-ins.
///
/// For the target's thread. Conversations are forgotten when a turn fails and when their last turn has ended.
final class Conversations {
    private final Function<int[], String> words;
    private final Map<RequestId, Turn> answered = new HashMap<>(); // by the latest turn
    private final BitSet lastTurns = new BitSet(); // by request, before they ended

    /// A message of a chat.
    record Message(String role, String content) {
        static Message ofUser(String content) {
            return new Message("user", content);
        }
    }

    /// @param drawn tokens of the prompt and the stand-in for the answer; the new part of the next turn begins behind them
    private record Turn(List<Message> messages, int drawn) {}

    /// @param words the text of drawn tokens
    Conversations(Function<int[], String> words) {
        this.words = words;
    }

    /// Whether a turn sends answers, so that its length was not known before the run.
    boolean continues(Request request) {
        return request.arrival() instanceof Arrival.AfterTurn(RequestId previous, long _)
                && answered.containsKey(previous);
    }

    /// The messages of a request, the last of them its own.
    List<Message> messages(Request request) {
        int[] prompt = request.promptTokens();
        if (request.arrival() instanceof Arrival.AfterTurn(RequestId previous, long _)
                && answered.get(previous) instanceof Turn(List<Message> before, int drawn) && drawn < prompt.length) {
            List<Message> messages = new ArrayList<>(before);
            messages.add(Message.ofUser(words.apply(Arrays.copyOfRange(prompt, drawn, prompt.length))));
            return messages;
        }
        String text = request.promptText();
        return List.of(Message.ofUser(text == null ? words.apply(prompt) : text));
    }

    /// A request begins. The turns of a session stand below each other, so the first turn of one ends the session before.
    void begun(Request request) {
        if (!(request.arrival() instanceof Arrival.AfterTurn)) {
            RequestId before = new RequestId(request.id().index() - 1);
            if (answered.remove(before) == null && before.index() >= 0) {
                lastTurns.set(before.index());
            }
        }
    }

    /// A request was answered.
    ///
    /// @param answer its text; empty if it had none: then a drawn stand-in stays
    void answered(Request request, String answer) {
        List<Message> messages = new ArrayList<>(messages(request));
        failed(request);
        if (!lastTurns.get(request.id().index())) {
            int[] standIn = new int[request.outputTokens()];
            messages.add(new Message("assistant", answer.isBlank() ? words.apply(standIn) : answer));
            answered.put(request.id(),
                    new Turn(List.copyOf(messages), request.promptTokens().length + request.outputTokens()));
        }
    }

    /// A request was not answered: no later turn is sent.
    void failed(Request request) {
        if (request.arrival() instanceof Arrival.AfterTurn(RequestId previous, long _)) {
            answered.remove(previous);
        }
    }
}
