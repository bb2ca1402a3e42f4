package org.inferometer.ui.shell;

import java.nio.file.Path;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.PlainComposer;
import org.inferometer.ui.twin.ScriptedBenchmark;

/// The first run over a scripted experiment.
class ScriptedFirstRunTest extends FirstRun {
    private ScriptedBenchmark service;

    @Override
    protected DesktopServices services(Path folder, boolean lasting) {
        LibraryTwin library = new LibraryTwin(folder.resolve("results"));
        service = new ScriptedBenchmark(library, 1);
        return DesktopTwin.services(service, library, new LibraryTwin(folder.resolve("samples")), new PlainComposer());
    }

    @Override
    protected void liveWasSeen() throws Exception {
        service.awaitTheMiddle();
        markAndLog();
        endElsewhere(service::goOn);
    }
}
