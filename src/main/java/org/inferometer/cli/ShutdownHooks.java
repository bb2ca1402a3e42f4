package org.inferometer.cli;

/// Calls back when the process is asked to end, by Ctrl+C for one.
public interface ShutdownHooks {
    /// Calls the action, once and on a thread of its own, when the process is asked to end before the registration is closed. The
    /// process waits for the action.
    Registration onShutdown(Runnable action);

    /// Takes the action back when closed.
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    /// The hooks of this process.
    static ShutdownHooks ofProcess() {
        return action -> {
            Thread hook = Thread.ofPlatform().name("end-on-shutdown").unstarted(action);
            Runtime.getRuntime().addShutdownHook(hook);
            return () -> {
                try {
                    Runtime.getRuntime().removeShutdownHook(hook);
                } catch (IllegalStateException shuttingDown) {
                    // The hook runs already: there is nothing to take back.
                    return;
                }
            };
        };
    }
}
