package org.inferometer.cli;

/// Calls actions when the process receives a termination signal, such as Ctrl+C.
public interface ShutdownHooks {
    /// Calls the action once, on its own thread, if the process is asked to end before the registration is closed. The process waits
    /// for the action.
    Registration onShutdown(Runnable action);

    /// Removes the action when closed.
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
                    // The hook is already running.
                    return;
                }
            };
        };
    }
}
