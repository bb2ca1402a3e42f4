package org.inferometer.natives;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import javafx.application.Platform;
import javafx.scene.Scene;
import javafx.scene.image.ImageView;
import javafx.scene.layout.StackPane;
import javafx.scene.text.Text;
import javafx.stage.Stage;
import jcuda.LogLevel;
import jcuda.driver.JCudaDriver;
import org.inferometer.engine.tokenizer.TrainedTokenizer;
import org.inferometer.execution.host.products.OneDnn;
import org.inferometer.telemetry.MachineProbe;
import org.inferometer.ui.fx.JavaFxStart;
import org.inferometer.units.SystemClock;

/// Loads every native library that the program loads, in the program's ways, and prints the files that are mapped then.
final class LibraryProcess {
    private LibraryProcess() {}

    /// @param arguments the file of a tokenizer, the number of its tokens, and a JPEG picture, whose reader is native
    static void main(String[] arguments) throws IOException, InterruptedException {
        new MachineProbe(new SystemClock()).identify();
        // CudaDriverProbe goes so far only where the driver has devices.
        JCudaDriver.setLogLevel(LogLevel.LOG_QUIET);
        try (OneDnn library = OneDnn.load();
                TrainedTokenizer tokenizer =
                        new TrainedTokenizer(Path.of(arguments[0]), Integer.parseInt(arguments[1]))) {
            tokenizer.encode("in");
        }
        CountDownLatch shown = new CountDownLatch(1);
        JavaFxStart.start(() -> {
            Stage stage = new Stage();
            stage.setScene(
                    new Scene(new StackPane(new Text("Grüße"), new ImageView(Path.of(arguments[2]).toUri().toString())),
                            200, 100));
            stage.show();
            stage.getScene().snapshot(null);
            shown.countDown();
        });
        shown.await();
        Platform.exit();
        Files.readAllLines(Path.of("/proc/self/maps")).stream().map(line -> line.split(" +", 6))
                .filter(parts -> parts.length == 6 && parts[5].startsWith("/")).map(parts -> parts[5]).distinct()
                .forEach(System.out::println);
    }
}
