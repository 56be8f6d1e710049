package dev.spur.agent.aggregator;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * What goes over the wire, least significant byte first. A worker begins with {@code SPRA}, the version 1 (one byte),
 * the length of its job's id (two) and the id, its generation (eight), its rank and the number of workers (four each).
 * From then on both sides send frames: kind (one byte), shard (four), step (eight), width of a number (one: 4, 8, or 0
 * where there are none), how many numbers follow (four), and the numbers.
 *
 * @param kind one of the constants here
 * @param numbers what follows; empty for most kinds
 */
record Frame(byte kind, int shard, long step, TensorBuffer numbers) {
    /** From a worker: its part of a sum. To a worker: the sum. */
    static final byte SUM = 1;
    /** To a worker: a peer of yours waits for the sum of this step, which you have. From a worker: here it is. */
    static final byte KNOWN = 2;
    /** To a worker: the shard is not here, or not yet. */
    static final byte ELSEWHERE = 3;
    /** To a worker: your generation is over. */
    static final byte OVER = 4;
    /** To a worker: what you sent contradicts what others sent. */
    static final byte WRONG = 5;

    static final TensorBuffer NONE = new TensorBuffer.Singles(new float[0]);

    private static final int HEAD = 1 + 4 + 8 + 1 + 4;
    private static final int MOST_BYTES = 1 << 28;
    private static final byte[] MAGIC = "SPRA".getBytes(StandardCharsets.US_ASCII);
    private static final byte VERSION = 1;

    /** Who a worker is. */
    record Hello(String job, long generation, int rank, int workers) {
        /** A shard of what it works on. */
        ShardKey key(int shard) {
            return new ShardKey(job, generation, shard);
        }

        /** @throws IOException if what comes is no worker of this version */
        static Hello read(DataInputStream from) throws IOException {
            ByteBuffer head = take(from, MAGIC.length + 3);
            byte[] magic = new byte[MAGIC.length];
            head.get(magic);
            if (!java.util.Arrays.equals(magic, MAGIC) || head.get() != VERSION) {
                throw new IOException("whoever has connected is no worker of version " + VERSION);
            }
            String job = StandardCharsets.UTF_8
                    .decode(take(from, Short.toUnsignedInt(head.getShort())))
                    .toString();
            ByteBuffer rest = take(from, 16);
            Hello hello = new Hello(job, rest.getLong(), rest.getInt(), rest.getInt());
            if (hello.rank() < 0 || hello.rank() >= hello.workers()) {
                throw new IOException("rank %d of %d workers".formatted(hello.rank(), hello.workers()));
            }
            return hello;
        }
    }

    /** @throws IOException at the end, or if what comes is no frame */
    static Frame read(DataInputStream from) throws IOException {
        ByteBuffer head = take(from, HEAD);
        byte kind = head.get();
        int shard = head.getInt();
        long step = head.getLong();
        int width = head.get();
        long bytes = Integer.toUnsignedLong(head.getInt()) * width;
        if ((kind != SUM && kind != KNOWN) || (width != 4 && width != 8) || bytes > MOST_BYTES) {
            throw new IOException("frame of kind %d with %d bytes of width %d".formatted(kind, bytes, width));
        }
        return new Frame(
                kind, shard, step, TensorBuffer.of(take(from, (int) bytes).array(), width));
    }

    /** The shard that a frame is about, as it is sent. */
    static int shard(byte[] frame) {
        return ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getInt(1);
    }

    /** The frame as it is sent. */
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
