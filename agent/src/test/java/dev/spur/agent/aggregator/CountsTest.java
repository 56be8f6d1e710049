package dev.spur.agent.aggregator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an aggregator says of its work, with workers that send real bytes. */
class CountsTest {
    private static final int NUMBERS = 100_000;
    private static final int STEPS = 20;

    private AggregatorServer server;

    @BeforeEach
    void start() throws IOException {
        server = AggregatorServer.start(0);
        server.set(new Content(
                List.of(new Content.Part("big", 3, 1, List.of(0, 1)), new Content.Part("small", 1, 1, List.of(5)))));
    }

    @AfterEach
    void end() throws IOException {
        server.close();
    }

    /** A worker that has its own sums at once. */
    private void work(String job, long generation, int shard, int numbers, int steps) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            OutputStream to = socket.getOutputStream();
            var from = new DataInputStream(socket.getInputStream());
            byte[] id = job.getBytes(StandardCharsets.UTF_8);
            to.write(ByteBuffer.allocate(23 + id.length)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .put("SPRA".getBytes(StandardCharsets.US_ASCII))
                    .put((byte) 1)
                    .putShort((short) id.length)
                    .put(id)
                    .putLong(generation)
                    .putInt(0)
                    .putInt(1)
                    .array());
            for (int step = 0; step < steps; step++) {
                TensorBuffer part = new TensorBuffer.Singles(new float[numbers]);
                to.write(new Frame(Frame.SUM, shard, step, part).bytes());
                byte[] head = new byte[18];
                from.readFully(head);
                from.readFully(new byte[head[0] == Frame.SUM ? 4 * numbers : 0]);
            }
        }
    }

    private Counts.Shard shard(String job, int shard) {
        return server.counts().shardsByJob().stream()
                .filter(jobShards -> jobShards.jobId().equals(job))
                .flatMap(jobShards -> jobShards.shards().stream())
                .filter(each -> each.shard() == shard)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void eachShardHasItsPartsAndTheirBytes() throws IOException {
        work("big", 3, 0, NUMBERS, STEPS);
        work("big", 3, 1, NUMBERS / 2, STEPS);
        work("small", 1, 5, 1, 2);

        assertThat(shard("big", 0).parts()).isEqualTo(STEPS);
        assertThat(shard("big", 0).bytes()).isEqualTo(4L * NUMBERS * STEPS);
        assertThat(shard("big", 1).bytes()).isEqualTo(2L * NUMBERS * STEPS);
        assertThat(shard("small", 5).parts()).isEqualTo(2);
        assertThat(shard("small", 5).bytes()).isEqualTo(8);
    }

    @Test
    void workForOneJobIsNotCountedForAnother() throws IOException {
        work("big", 3, 0, NUMBERS, STEPS);
        work("small", 1, 5, 1, STEPS);

        assertThat(shard("big", 0).cpuSeconds()).isPositive();
        assertThat(shard("small", 5).cpuSeconds()).isLessThan(shard("big", 0).cpuSeconds());
    }

    @Test
    void whatIsNotSummedHereIsNotCounted() throws IOException {
        work("big", 2, 0, 10, 1);
        work("big", 3, 7, 10, 1);
        work("stranger", 1, 0, 10, 1);

        assertThat(server.counts().shardsByJob()).isEmpty();
    }

    @Test
    void whatLiesHereNoMoreIsForgotten() throws IOException {
        work("big", 3, 0, 10, 1);
        work("small", 1, 5, 10, 1);
        server.set(new Content(List.of(new Content.Part("small", 1, 1, List.of(5)))));

        assertThat(server.counts().shardsByJob())
                .extracting(Counts.Portion::jobId)
                .containsExactly("small");
    }

    @Test
    void countsAreReadAsTheyWereWritten() throws IOException {
        work("big", 3, 0, 10, 1);
        Counts counts = server.counts();

        assertThat(Counts.read(counts.json())).isEqualTo(counts);
        assertThat(counts.seconds()).isPositive();
        assertThat(counts.instance()).isNotBlank();
    }
}
