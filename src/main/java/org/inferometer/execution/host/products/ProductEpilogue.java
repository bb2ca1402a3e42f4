package org.inferometer.execution.host.products;

import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.LANES;

import jdk.incubator.vector.FloatVector;
import org.inferometer.execution.host.machine.VectorMath;

/// What happens to the product of a matrix and the rows after the bias is added.
///
/// Each constant has its own body on purpose: a megamorphic call is never inlined, so each body is compiled separately
/// and stays within the inlining budget. Beyond it, vectors are allocated and the step is many times slower.
public enum ProductEpilogue {
    /// Written to the destination.
    STORE {
        @Override
        void apply(float[] out, float[] up, int width, int rows, int columns, float[] to, int stride, int column) {
            for (int row = 0; row < rows; row++) {
                System.arraycopy(out, row * width, to, row * stride + column, columns);
            }
        }
    },
    /// Added to the destination: the residual stream.
    ADD {
        @Override
        void apply(float[] out, float[] up, int width, int rows, int columns, float[] to, int stride, int column) {
            for (int row = 0; row < rows; row++) {
                int at = row * stride + column;
                for (int i = 0; i < columns; i += LANES) {
                    FloatVector.fromArray(FLOATS, to, at + i).add(FloatVector.fromArray(FLOATS, out, row * width + i))
                            .intoArray(to, at + i);
                }
            }
        }
    },
    /// GELU of it is written.
    GELU {
        @Override
        void apply(float[] out, float[] up, int width, int rows, int columns, float[] to, int stride, int column) {
            for (int row = 0; row < rows; row++) {
                int at = row * stride + column;
                for (int i = 0; i < columns; i += LANES) {
                    VectorMath.gelu(FloatVector.fromArray(FLOATS, out, row * width + i)).intoArray(to, at + i);
                }
            }
        }
    },
    /// Two maps: silu of the first times the second is written.
    SWIGLU {
        @Override
        void apply(float[] out, float[] up, int width, int rows, int columns, float[] to, int stride, int column) {
            for (int row = 0; row < rows; row++) {
                int at = row * stride + column;
                for (int i = 0; i < columns; i += LANES) {
                    VectorMath.silu(FloatVector.fromArray(FLOATS, out, row * width + i))
                            .mul(FloatVector.fromArray(FLOATS, up, row * width + i)).intoArray(to, at + i);
                }
            }
        }
    };

    /// @param out `[rows][width]`, of which `columns` count
    /// @param up the second map's products, laid out alike; unused but by SWIGLU
    /// @param to `[rows][stride]`, from `column` on
    abstract void apply(float[] out, float[] up, int width, int rows, int columns, float[] to, int stride, int column);
}
