package org.inferometer.prompting;

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.engine.ChatFormat;
import org.inferometer.prompting.template.Template;
import org.inferometer.prompting.template.TemplateException;
import org.jspecify.annotations.Nullable;

/// What a person asks a model: a message, and how it shall answer.
///
/// @param system how the model shall answer; empty for what its template says
/// @param user the message
public record ChatPrompt(String system, String user) {
    /// What keeps a template from being used, in a sentence; empty if it writes a message.
    public static Optional<String> fault(ChatFormat format, LocalDateTime now) {
        try {
            new ChatPrompt("", "Hello").rendered(format, now);
            return Optional.empty();
        } catch (TemplateException unusable) {
            return Optional.of(String.valueOf(unusable.getMessage()));
        }
    }

    /// The text that the model continues with its answer. Its special tokens are written out.
    ///
    /// @param now the date that templates may print
    /// @throws TemplateException in one sentence if the template is not supported or refuses the messages
    public String rendered(ChatFormat format, LocalDateTime now) throws TemplateException {
        List<Map<String, String>> messages = new ArrayList<>();
        if (!system.isEmpty()) {
            messages.add(Map.of("role", "system", "content", system));
        }
        messages.add(Map.of("role", "user", "content", user));
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("messages", messages);
        values.put("add_generation_prompt", true);
        values.put("bos_token", format.beginToken());
        values.put("eos_token", format.endToken());
        return Template.parse(format.template()).render(values, now);
    }
}
