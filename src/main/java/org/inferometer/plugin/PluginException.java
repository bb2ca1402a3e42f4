package org.inferometer.plugin;

import java.nio.file.Path;

/// A plug-in that is refused. The message is one sentence with file, reason and remedy.
public final class PluginException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PluginException(Path jar, String sentence) {
        super(jar + ": " + sentence);
    }
}
