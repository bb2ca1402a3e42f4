package org.inferometer.target.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.target.RequestListener;
import org.inferometer.target.RequestListener.TokenCounts;
import org.inferometer.units.OneLine;
import org.inferometer.workload.Request;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// Decodes the response to one request: reports tokens and determines its end. Independent of connections.
///
/// Called on the target's thread; no method may be called after an end was returned.
final class ResponseStream implements SseReader.Events {
    /// The longest line and the longest event.
    static final int LINE_BYTES = 1 << 20;
    private static final int BYTES_A_CHUNK = 64 << 10;
    private static final int BYTES_A_TOKEN = 256;
    private static final int MOST_SHOWN = 80;
    private static final int MOST_CONTENT = 1024;
    private static final long CONTENT_A_TOKEN = 32;
    private static final int CHUNKS_BEYOND = 1024;
    private static final long MOST_PROMPT_TOKENS = 1L << 30;

    private final Request request;
    private final RequestListener listener;
    private final ChunkReader chunks;
    private final HttpSettings settings;
    private final long mostTokens;
    private final SseReader events = new SseReader(LINE_BYTES);
    private @Nullable ResponseHead head;
    private @Nullable ErrorBody errorBody;
    private @Nullable ByteArrayOutputStream wholeBody;
    private Chunk.@Nullable Timings timings;
    private @Nullable StreamEnd ending;
    private long arrivedNanos;
    private long bytes;
    private long eventCount;
    private int outputChunks;
    private int reportedTokens;
    private int countedTokens;
    private long promptTokens = Chunk.UNKNOWN;
    private long completionTokens = Chunk.UNKNOWN;
    private long cachedTokens = Chunk.UNKNOWN;
    private boolean countsEveryChunk;
    private boolean finished;
    private final CountCheck check;
    private final @Nullable AnswerCounts answers; // of a request with several
    private final StringBuilder content = new StringBuilder();

    /// @param listener receives the tokens
    ResponseStream(Request request, RequestListener listener, ChunkReader chunks, HttpSettings settings) {
        this.request = request;
        this.listener = listener;
        this.chunks = chunks;
        this.settings = settings;
        this.mostTokens = Math.min(Integer.MAX_VALUE, 4L * request.allOutputTokens() + CHUNKS_BEYOND);
        int several = request.sampling().answers();
        this.check = new CountCheck(several);
        this.answers = several > 1 ? new AnswerCounts(several) : null;
    }

    /// Takes the head; returns an end if the body is not needed.
    @Nullable
    StreamEnd head(ResponseHead reply) {
        head = reply;
        if (reply.isRedirect()) {
            return StreamEnd.failed("The server redirects (" + reply.status() + ") "
                    + reply.redirectAddress(settings).map(address -> "to " + address + ". Give that address as url.")
                            .orElse("and names no http address. Check url."));
        }
        if (reply.isEncoded()) {
            return StreamEnd.failed("The server answered in " + settings.key().lineWithout(reply.contentEncoding())
                    + ", which was not requested.");
        }
        if (reply.status() == 200 && !settings.options().stream() && !reply.isEventStream()) {
            wholeBody = new ByteArrayOutputStream();
        } else if (reply.status() != 200 || !reply.isEventStream()) {
            errorBody = new ErrorBody();
        }
        return null;
    }

    /// Takes bytes of the body, received at that instant.
    @Nullable
    StreamEnd body(byte[] from, int start, int end, long nanos) {
        ErrorBody error = errorBody;
        if (error != null) {
            return error.add(from, start, end) ? null : refusal(error);
        }
        arrivedNanos = nanos;
        bytes += end - start;
        ByteArrayOutputStream answer = wholeBody;
        if (answer != null) {
            answer.write(from, start, end - start);
            return bytes <= LINE_BYTES + BYTES_A_TOKEN * mostTokens ? null : tooLong();
        }
        if (bytes > LINE_BYTES + BYTES_A_CHUNK * mostTokens) {
            return tooLong();
        }
        try {
            events.feed(from, start, end, this);
        } catch (SseReader.TooLongException e) {
            return StreamEnd.failed("The stream cannot be read: " + e.getMessage() + ".");
        }
        return ending;
    }

    private StreamEnd tooLong() {
        return StreamEnd
                .failed("The server sent " + (bytes >> 20) + " MiB for " + request.allOutputTokens() + " tokens.");
    }

    /// Takes the end of the body.
    StreamEnd end() {
        ErrorBody error = errorBody;
        if (error != null) {
            return refusal(error);
        }
        ByteArrayOutputStream answer = wholeBody;
        if (answer != null) {
            return wholeAnswer(answer.toByteArray());
        }
        try {
            events.end(this);
        } catch (SseReader.TooLongException e) {
            return StreamEnd.failed("The stream cannot be read: " + e.getMessage() + ".");
        }
        if (ending != null) {
            return ending;
        }
        return finished ? whole() : StreamEnd.failed(eventCount == 0 ? "The server ended the stream without any event."
                : "The server ended the stream after " + outputChunks + " chunks without a finish reason or [DONE].");
    }

    /// An answer that was not streamed has tokens and an end, but no events: it has no instant of a first token.
    private StreamEnd wholeAnswer(byte[] json) {
        Chunk answer;
        try {
            answer = chunks.read(json, 0, json.length);
        } catch (JacksonException e) {
            return StreamEnd
                    .failed("The answer is not a JSON object: " + shownStart(new String(json, StandardCharsets.UTF_8)));
        }
        cachedTokens = answer.cachedTokens();
        String error = answer.error();
        if (error != null) {
            return StreamEnd
                    .failedMasked("The server answered 200 with an error: " + settings.key().lineWithout(error));
        }
        AnswerCounts several = answers;
        if (several != null) {
            return wholeAnswers(answer, several);
        }
        if (answer.hasUsage() && !usage(answer)) {
            return ending == null ? StreamEnd.failed("The server counts too many tokens.") : ending;
        }
        timings = answer.timings();
        answer.choices().forEach(choice -> check.part(0, choice, Chunk.UNKNOWN));
        text();
        outputChunks = answer.hasOutput() ? 1 : 0;
        reportedTokens = answer.hasOutput() ? Math.max(1, answer.tokenIds().length) : 0;
        String reason = answer.finishReason();
        if ("abort".equals(reason) || "error".equals(reason)) {
            return StreamEnd.failed("The server aborted the request: finish reason \"" + reason + "\".");
        }
        return whole();
    }

    /// The server's own times of the request; null if it does not report them.
    Chunk.@Nullable Timings timings() {
        return timings;
    }

    /// The prompt tokens that the server took from its cache, at most those of the prompt; [Chunk#UNKNOWN] if it does not say.
    int cachedTokens() {
        return (int) Math.min(cachedTokens, counts().promptTokens());
    }

    /// The token counts so far and their source.
    TokenCounts counts() {
        long total = totalTokens();
        boolean counted = total != Chunk.UNKNOWN;
        int prompt = promptTokens == Chunk.UNKNOWN ? request.promptTokens().length : (int) promptTokens;
        return new TokenCounts(prompt, counted ? (int) total : reportedTokens,
                counted ? TokenSource.SERVER_USAGE : TokenSource.CHUNKS);
    }

    private long totalTokens() {
        AnswerCounts several = answers;
        return completionTokens == Chunk.UNKNOWN && several != null ? several.total() : completionTokens;
    }

    /// The first contradiction between the server's counts and what arrived; null if there is none.
    CountCheck.@Nullable Contradiction contradiction() {
        return check.contradiction();
    }

    /// Output chunks so far.
    int outputChunks() {
        return outputChunks;
    }

    /// Whether a response has started.
    boolean begun() {
        return head != null;
    }

    @Override
    public void data(byte[] from, int start, int end) {
        if (ending != null) {
            return;
        }
        eventCount++;
        if (isDone(from, start, end)) {
            ending = whole();
            return;
        }
        if (end == start) {
            return;
        }
        try {
            take(chunks.read(from, start, end));
        } catch (JacksonException e) {
            ending = StreamEnd.failed("Event " + eventCount + " of the stream is not a JSON object: "
                    + shownStart(new String(from, start, end - start, StandardCharsets.UTF_8)));
        }
    }

    @Override
    public void error(byte[] from, int start, int end) {
        if (ending == null) {
            ending = inStream(ErrorBody.message(chunks, settings.key(), Arrays.copyOfRange(from, start, end)));
        }
    }

    private void take(Chunk chunk) {
        String error = chunk.error();
        if (error != null) {
            ending = inStream(settings.key().lineWithout(error));
            return;
        }
        timings = chunk.timings() == null ? timings : chunk.timings();
        cachedTokens = Math.max(cachedTokens, chunk.cachedTokens());
        AnswerCounts several = answers;
        if (several != null) {
            take(chunk, several);
            return;
        }
        if (chunk.hasUsage() && !usage(chunk)) {
            return;
        }
        chunk.choices().forEach(choice -> check.part(0, choice, chunk.countedTokens()));
        if (chunk.hasOutput()) {
            text();
            outputChunks++;
            if (outputChunks == 1) {
                // llama-server counts in its last chunk only; with one chunk, this looks like counting in each.
                countsEveryChunk = chunk.countedTokens() != Chunk.UNKNOWN;
            }
        }
        if (chunk.hasOutput() || (chunk.finishReason() != null && countsEveryChunk)) {
            report(chunk);
        }
        String reason = chunk.finishReason();
        if (reason != null) {
            finished = true;
            endIfAborted(reason);
        }
    }

    private void text() {
        String text = chunks.outputText();
        if (!text.isEmpty()) {
            listener.text(request.id(), text);
        }
        String said = chunks.content();
        long room = MOST_CONTENT + CONTENT_A_TOKEN * request.outputTokens() - content.length();
        content.append(said, 0, (int) Math.min(said.length(), room));
    }

    /// What a chat said, where it is kept; of long words the beginning.
    String content() {
        return content.toString();
    }

    private void endIfAborted(String reason) {
        if (reason.equals("abort") || reason.equals("error")) {
            ending = StreamEnd.failed("The server aborted the request after " + outputChunks
                    + " chunks: finish reason \"" + reason + "\".");
        }
    }

    /// Takes an event of a request with several answers. A count without a choice is the total.
    private void take(Chunk chunk, AnswerCounts several) {
        several.fault(chunk).ifPresent(fault -> ending = StreamEnd.failed(fault));
        if (ending != null || !countsInBounds(chunk)) {
            return;
        }
        promptTokens = chunk.promptTokens() == Chunk.UNKNOWN ? promptTokens : chunk.promptTokens();
        if (chunk.choices().isEmpty() && chunk.hasUsage()) {
            completionTokens = chunk.completionTokens();
        }
        // A count for several choices belongs to none of them.
        long counted = chunk.choices().size() == 1 ? chunk.countedTokens() : Chunk.UNKNOWN;
        for (Chunk.Choice choice : chunk.choices()) {
            int tokens = several.tokens(choice, counted);
            outputChunks += choice.hasOutput() ? 1 : 0;
            check.part(choice.index(), choice, counted);
            report(tokens, choice.tokenIds(), choice.index());
            String reason = choice.finishReason();
            if (reason != null) {
                endIfAborted(reason);
            }
            if (ending != null) {
                return;
            }
        }
        finished = several.allFinished();
    }

    private StreamEnd wholeAnswers(Chunk answer, AnswerCounts several) {
        // One event: each choice is an answer.
        take(answer.withoutUsage(), several);
        if (ending == null && countsInBounds(answer) && answer.hasUsage()) {
            completionTokens = answer.completionTokens();
            promptTokens = answer.promptTokens() == Chunk.UNKNOWN ? promptTokens : answer.promptTokens();
        }
        timings = answer.timings();
        return ending == null ? whole() : ending;
    }

    private boolean countsInBounds(Chunk chunk) {
        if (chunk.completionTokens() > mostTokens || chunk.promptTokens() > MOST_PROMPT_TOKENS) {
            ending = StreamEnd.failed("The server counts too many tokens: " + chunk.promptTokens() + " prompt and "
                    + chunk.completionTokens() + " output tokens; " + request.allOutputTokens() + " were requested.");
            return false;
        }
        return true;
    }

    private boolean usage(Chunk chunk) {
        if (!countsInBounds(chunk)) {
            return false;
        }
        check.requireAtLeast(completionTokens, chunk.completionTokens());
        completionTokens = chunk.completionTokens();
        promptTokens = chunk.promptTokens() == Chunk.UNKNOWN ? promptTokens : chunk.promptTokens();
        return true;
    }

    /// Reports the tokens of a chunk: the increase of the server's count, or one without counts.
    private void report(Chunk chunk) {
        int count;
        if (countsEveryChunk && chunk.hasUsage()) {
            count = Math.max(0, (int) completionTokens - countedTokens);
            countedTokens += count;
        } else {
            count = chunk.hasOutput() ? Math.max(1, chunk.tokenIds().length) : 0;
            countedTokens += count;
        }
        report(count, chunk.tokenIds(), 0);
    }

    private void report(int count, int[] ids, int answer) {
        if (reportedTokens + (long) count > mostTokens) {
            ending = StreamEnd.failed("The server sent more than " + mostTokens + " tokens; "
                    + request.allOutputTokens() + " were requested.");
        } else if (count > 0) {
            reportedTokens += count;
            if (wholeBody != null) {
                return; // without an instant
            }
            listener.tokens(request.id(), arrivedNanos, ids.length == count ? ids : new int[count], answer);
        }
    }

    private StreamEnd whole() {
        if (outputChunks > 0) {
            long total = totalTokens();
            if (total != Chunk.UNKNOWN) {
                check.total(total);
            }
            return answers == null ? StreamEnd.OK : answers.incomplete().map(StreamEnd::failed).orElse(StreamEnd.OK);
        }
        return StreamEnd.failed(
                completionTokens > 0 ? "The server counts " + completionTokens + " tokens, but no chunk has output."
                        : "The server ended the stream without any output.");
    }

    private StreamEnd inStream(String message) {
        return StreamEnd.failedMasked(
                "The server sent an error after " + outputChunks + " chunks of a stream with status 200: " + message);
    }

    private StreamEnd refusal(ErrorBody body) {
        ResponseHead reply = head;
        int status = reply == null ? 0 : reply.status();
        String message = body.message(chunks, settings.key());
        String said = message.isEmpty() ? "." : ": " + message;
        if (status == 200 && reply != null) {
            return StreamEnd.failed("The server answered " + settings.key().lineWithout(reply.contentType())
                    + " instead of an event stream" + said
                    + (reply.contentType().contains("json") ? " If it does not stream, set stream=false." : ""));
        }
        String way = message.contains("vocab") ? " Set vocabulary to that of the model." : "";
        String sentence = "The server answered " + status + said + way;
        return switch (status) {
            case 429, 503 -> new StreamEnd(RequestStatus.REFUSED, sentence, true);
            case 400, 422 -> new StreamEnd(RequestStatus.FAILED, sentence, true, body.text(), false);
            case 401, 403 -> new StreamEnd(RequestStatus.FAILED, sentence, true, null, true);
            default -> StreamEnd.failedMasked(sentence);
        };
    }

    private String shownStart(String event) {
        return OneLine.of(settings.key().lineWithout(event), MOST_SHOWN);
    }

    private static boolean isDone(byte[] from, int start, int end) {
        return end - start == 6 && from[start] == '[' && from[start + 1] == 'D' && from[start + 2] == 'O'
                && from[start + 3] == 'N' && from[start + 4] == 'E' && from[start + 5] == ']';
    }
}
