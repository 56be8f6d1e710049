package dev.spur.agent.aggregator;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Wire format, little-endian. A worker starts with {@code SPRA} and the version 1 (one byte). The length of the job id
 * (two) and the id follow, then the generation (eight), and the rank and the number of workers (four each). After that
 * both sides send frames: kind (one byte), shard (four), step (eight), width of a number (one: 4, 8, or 0 without
 * numbers), count of numbers (four), and the numbers.
 *
 * @param kind one of the constants of this class
 * @param numbers payload; empty for most kinds
 */
record Frame(byte kind, int shard, long step, TensorBuffer numbers) {
    /** From a worker: its part of a sum. To a worker: the sum. */
    static final byte SUM = 1;
    /** To a worker: a request for the sum of an earlier step, which another worker lacks. From a worker: that sum. */
    static final byte KNOWN = 2;
    /** To a worker: the shard is not in the content, or not yet. */
    static final byte ELSEWHERE = 3;
    /** To a worker: its generation has ended. */
    static final byte OVER = 4;
    /** To a worker: its part is inconsistent with those of other workers. */
    static final byte WRONG = 5;

    static final TensorBuffer NONE = new TensorBuffer.Singles(new float[0]);

    private static final int HEAD = 1 + 4 + 8 + 1 + 4;
    private static final int MAX_BYTES = 1 << 28;
    private static final byte[] MAGIC = "SPRA".getBytes(StandardCharsets.US_ASCII);
    private static final byte VERSION = 1;

    /** Identity of a worker, sent at the start of a connection. */
    record Hello(String job, long generation, int rank, int workers) {
        /** Returns the key of a shard of the worker's job. */
        ShardKey key(int shard) {
            return new ShardKey(job, generation, shard);
        }

        /**
         * Reads the identity of a worker.
         *
         * @throws IOException if the client is not a worker of this version
         */
        static Hello read(DataInputStream from) throws IOException {
            ByteBuffer head = take(from, MAGIC.length + 3);
            byte[] magic = new byte[MAGIC.length];
            head.get(magic);
            if (!java.util.Arrays.equals(magic, MAGIC) || head.get() != VERSION) {
                throw new IOException("the client is not a worker of version " + VERSION);
            }
            String job = StandardCharsets.UTF_8
                    .decode(take(from, Short.toUnsignedInt(head.getShort())))
                    .toString();
            ByteBuffer rest = take(from, 16);
            Hello hello = new Hello(job, rest.getLong(), rest.getInt(), rest.getInt());
            if (hello.rank() < 0 || hello.rank() >= hello.workers()) {
                throw new IOException("invalid rank %d of %d workers".formatted(hello.rank(), hello.workers()));
            }
            return hello;
        }
    }

    /**
     * Reads a frame.
     *
     * @throws IOException at the end of the stream or for an invalid frame
     */
    static Frame read(DataInputStream from) throws IOException {
        ByteBuffer head = take(from, HEAD);
        byte kind = head.get();
        int shard = head.getInt();
        long step = head.getLong();
        int width = head.get();
        long bytes = Integer.toUnsignedLong(head.getInt()) * width;
        if ((kind != SUM && kind != KNOWN) || (width != 4 && width != 8) || bytes > MAX_BYTES) {
            throw new IOException("invalid frame of kind %d with %d bytes of width %d".formatted(kind, bytes, width));
        }
        return new Frame(
                kind, shard, step, TensorBuffer.of(take(from, (int) bytes).array(), width));
    }

    /** Returns the shard number of an encoded frame. */
    static int shard(byte[] frame) {
        return ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getInt(1);
    }

    /** Returns the encoded frame. */
    byte[] bytes() {
        ByteBuffer buffer = ByteBuffer.allocate(HEAD + numbers.count() * numbers.width())
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(kind)
                .putInt(shard)
                .putLong(step)
                .put((byte) numbers.width())
                .putInt(numbers.count());
        numbers.put(buffer);
        return buffer.array();
    }

    private static ByteBuffer take(DataInputStream from, int bytes) throws IOException {
        byte[] taken = new byte[bytes];
        from.readFully(taken);
        return ByteBuffer.wrap(taken).order(ByteOrder.LITTLE_ENDIAN);
    }
}
