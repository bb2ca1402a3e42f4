package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import javax.imageio.ImageIO;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;

class PngImageTest {
    @Test
    void pixelsAreReadBackAsWritten() throws IOException {
        var random = new Seed(3).generator();
        int[] pixels = new int[37 * 11];
        Arrays.setAll(pixels, i -> 0xFF000000 | random.nextInt(0x1000000));
        BufferedImage read = ImageIO.read(new ByteArrayInputStream(PngImage.of(pixels, 37, 11)));
        assertThat(read.getWidth()).isEqualTo(37);
        assertThat(read.getRGB(0, 0, 37, 11, null, 0, 37)).isEqualTo(pixels);
    }
}
