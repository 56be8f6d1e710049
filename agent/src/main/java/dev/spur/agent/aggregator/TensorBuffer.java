package dev.spur.agent.aggregator;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Buffer of numbers of equal width in wire format, little-endian. */
sealed interface TensorBuffer {
    /** Returns the bytes per number: 4 or 8. */
    int width();

    int count();

    /** Adds {@code other}, which must have the same width and count. */
    void add(TensorBuffer other);

    void put(ByteBuffer to);

    /** Returns true if {@code other} has the same width and count. */
    default boolean isLike(TensorBuffer other) {
        return width() == other.width() && count() == other.count();
    }

    /** Creates a buffer from {@code bytes}. {@code width} is 4 or 8 and must divide their length. */
    static TensorBuffer of(byte[] bytes, int width) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (width == Float.BYTES) {
            float[] values = new float[bytes.length / width];
            buffer.asFloatBuffer().get(values);
            return new Singles(values);
        }
        double[] values = new double[bytes.length / width];
        buffer.asDoubleBuffer().get(values);
        return new Doubles(values);
    }

    /** Numbers of four bytes. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Singles(float[] values) implements TensorBuffer {
        @Override
        public int width() {
            return Float.BYTES;
        }

        @Override
        public int count() {
            return values.length;
        }

        @Override
        public void add(TensorBuffer other) {
            float[] more = ((Singles) other).values;
            for (int i = 0; i < values.length; i++) {
                values[i] += more[i];
            }
        }

        @Override
        public void put(ByteBuffer to) {
            to.asFloatBuffer().put(values);
            to.position(to.position() + values.length * Float.BYTES);
        }
    }

    /** Numbers of eight bytes. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Doubles(double[] values) implements TensorBuffer {
        @Override
        public int width() {
            return Double.BYTES;
        }

        @Override
        public int count() {
            return values.length;
        }

        @Override
        public void add(TensorBuffer other) {
            double[] more = ((Doubles) other).values;
            for (int i = 0; i < values.length; i++) {
                values[i] += more[i];
            }
        }

        @Override
        public void put(ByteBuffer to) {
            to.asDoubleBuffer().put(values);
            to.position(to.position() + values.length * Double.BYTES);
        }
    }
}
