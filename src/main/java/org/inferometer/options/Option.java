package org.inferometer.options;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Describes one component of an options record: name, default, range and help.
///
/// The command line, YAML files, the desktop's forms and validation all read this.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Option {
    /// The name that users write, like the original's: `max_batch_size`.
    String name();

    /// Other accepted names.
    String[] aliases() default {};

    /// The default value, as users write it.
    String standard();

    /// The smallest accepted number.
    double min() default 0;

    /// The largest accepted number.
    double max() default Long.MAX_VALUE;

    /// The unit of the number: "tokens", "s", "requests"; empty for other values.
    String unit() default "";

    /// What 0 stands for: "the run's limit"; empty where it is a number like others. The help says it.
    String zero() default "";

    /// One sentence for the help.
    String help();
}
