package org.inferometer.units;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Why the patterns of a class that are no constants take linear time, as `PatternsTest` demands. It checks those that are constants.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.CLASS)
public @interface LinearPatterns {
    /// The reason.
    String value();

    /// Whether the class matches bounded text only, so that its constants are not checked either.
    boolean boundedText() default false;
}
