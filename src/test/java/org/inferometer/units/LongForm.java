package org.inferometer.units;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// A test that takes long and has a short form beside it: it runs in `mvn verify -Pendurance` alone.
@Tag("endurance")
@EnabledIfSystemProperty(named = "inferometer.endurance", matches = "true")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface LongForm {
    /// Whether long forms run: for tests whose forms differ in a number.
    boolean RUNS = Boolean.getBoolean("inferometer.endurance");
}
