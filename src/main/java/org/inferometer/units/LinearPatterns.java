package org.inferometer.units;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Why patterns of a class take linear time though the rule for patterns cannot see it, as `PatternsTest` demands.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.CLASS)
public @interface LinearPatterns {
    /// The reason.
    String value();
}
