package org.inferometer.suite.mapping;

import org.inferometer.options.Selection;
import org.inferometer.units.EnvironmentVariables;

/// What the tests of a suite run on.
public sealed interface TestPlatform {
    /// As the user wrote it, for tables and records.
    String text();

    /// An engine of this program.
    ///
    /// @param engine its name
    record OwnEngine(String engine, Selection backend) implements TestPlatform {
        @Override
        public String text() {
            return engine + " on " + backend;
        }
    }

    /// A server that is running or is started for the test.
    record Endpoint(Selection target) implements TestPlatform {
        @Override
        public String text() {
            return target.toString();
        }
    }

    /// TensorRT-LLM's own servers, which the test's job starts.
    ///
    /// @param environment variables that replace fields of the configuration
    record TrtllmServers(EnvironmentVariables environment) implements TestPlatform {
        @Override
        public String text() {
            return "TensorRT-LLM";
        }
    }
}
