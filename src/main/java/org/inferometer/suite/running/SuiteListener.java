package org.inferometer.suite.running;

/// Receives the progress of a session, on the thread that runs it.
public interface SuiteListener {
    /// A test begins.
    ///
    /// @param index from 0
    default void testStarted(SuiteSession session, int index) {}

    /// A test ended.
    default void testEnded(SuiteSession session, int index) {}

    /// Something that a person should read: submissions, notes.
    default void message(String text) {}
}
