package org.inferometer.ui.fx;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import javafx.scene.image.Image;
import javafx.scene.image.PixelFormat;

/// Writes an image of the window as PNG: 8 bits a channel, without transparency. For any thread, once the image no longer changes.
///
/// After the W3C recommendation "Portable Network Graphics (PNG) Specification (Second Edition)".
public final class PngImage {
    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    private static final byte EIGHT_BITS = 8;
    private static final byte TRUECOLOUR = 2;

    private PngImage() {}

    /// The file's bytes.
    public static byte[] of(Image image) {
        int width = (int) image.getWidth();
        int height = (int) image.getHeight();
        int[] pixels = new int[width * height];
        image.getPixelReader().getPixels(0, 0, width, height, PixelFormat.getIntArgbInstance(), pixels, 0, width);
        return of(pixels, width, height);
    }

    /// The bytes of `[height * width]` pixels, 0xAARRGGBB each.
    static byte[] of(int[] pixels, int width, int height) {
        byte[] header = ByteBuffer.allocate(13).putInt(width).putInt(height).put(EIGHT_BITS).put(TRUECOLOUR).array();
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        png.writeBytes(SIGNATURE);
        png.writeBytes(chunk("IHDR", header));
        png.writeBytes(chunk("IDAT", compressed(pixels, width, height)));
        png.writeBytes(chunk("IEND", new byte[0]));
        return png.toByteArray();
    }

    private static byte[] compressed(int[] pixels, int width, int height) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Deflater deflater = new Deflater();
        try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, deflater)) {
            byte[] line = new byte[1 + 3 * width]; // The first byte names the filter: none.
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    int pixel = pixels[y * width + x];
                    line[1 + 3 * x] = (byte) (pixel >> 16);
                    line[2 + 3 * x] = (byte) (pixel >> 8);
                    line[3 + 3 * x] = (byte) pixel;
                }
                out.write(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            deflater.end();
        }
        return bytes.toByteArray();
    }

    private static byte[] chunk(String type, byte[] content) {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        CRC32 check = new CRC32();
        check.update(name);
        check.update(content);
        return ByteBuffer.allocate(12 + content.length).putInt(content.length).put(name).put(content)
                .putInt((int) check.getValue()).array();
    }
}
