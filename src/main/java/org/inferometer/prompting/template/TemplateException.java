package org.inferometer.prompting.template;

import java.io.Serial;

/// A chat template that cannot be read or rendered; the message is a sentence.
public final class TemplateException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    TemplateException(int line, String sentence) {
        super("Line " + line + " of the chat template: " + sentence);
    }
}
