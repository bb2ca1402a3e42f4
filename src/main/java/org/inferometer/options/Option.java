package org.inferometer.options;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Describes one component of an options record: the single source of its spelling, default, range and help.
///
/// The command line, YAML files, the desktop's forms and validation all read this.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Option {
    /// The field name people write, in the field's own spelling: `max_batch_size`.
    String name();

    /// Shorter spellings that are accepted too.
    String[] aliases() default {};

    /// The value used when none is given, spelled as a person would.
    String standard();

    /// The smallest accepted number.
    double min() default 0;

    /// The largest accepted number.
    double max() default Long.MAX_VALUE;

    /// What the number counts or measures: "tokens", "s", "requests"; empty for plain words.
    String unit() default "";

    /// One sentence for the help.
    String help();
}
