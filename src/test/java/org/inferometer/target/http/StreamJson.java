package org.inferometer.target.http;

/// JSON as servers send it in their streams.
final class StreamJson {
    private StreamJson() {}

    static String text(String text) {
        return "{\"id\":\"cmpl-1\",\"object\":\"text_completion\",\"created\":1,\"model\":\"tiny\",\"choices\":[{\"index\":0,\"text\":\""
                + text + "\",\"logprobs\":null,\"finish_reason\":null}]}";
    }

    static String textOf(String text, int promptTokens, int completionTokens) {
        return text(text).replaceFirst("}$", ",\"usage\":" + counts(promptTokens, completionTokens) + "}");
    }

    static String finish(String reason) {
        return text("").replace("\"finish_reason\":null", "\"finish_reason\":\"" + reason + "\"");
    }

    static String usage(int promptTokens, int completionTokens) {
        return "{\"id\":\"cmpl-1\",\"object\":\"text_completion\",\"choices\":[],\"usage\":"
                + counts(promptTokens, completionTokens) + "}";
    }

    static String delta(String delta) {
        return "{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":"
                + delta + ",\"finish_reason\":null}]}";
    }

    private static String counts(int promptTokens, int completionTokens) {
        return "{\"prompt_tokens\":" + promptTokens + ",\"completion_tokens\":" + completionTokens
                + ",\"total_tokens\":" + (promptTokens + completionTokens) + "}";
    }
}
