package dev.spur.agent.aggregator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One shard of a job with two workers. */
class ShardSumTest {
    private final ShardSum sum = new ShardSum(3, 2);
    private final Worker first = new Worker();
    private final Worker second = new Worker();

    /** Remembers what it was sent, each as {@code KIND STEP NUMBERS..}. */
    private static final class Worker implements WorkerConnection {
        private final List<String> heard = new ArrayList<>();

        @Override
        public void send(byte[] frame) {
            ByteBuffer buffer = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
            StringBuilder text = new StringBuilder().append(buffer.get());
            assertThat(buffer.getInt()).isEqualTo(3);
            text.append(' ').append(buffer.getLong());
            int width = buffer.get();
            for (int left = buffer.getInt(); left > 0; left--) {
                text.append(' ').append(width == 4 ? buffer.getFloat() : buffer.getDouble());
            }
            assertThat(buffer.hasRemaining()).isFalse();
            heard.add(text.toString());
        }
    }

    private static TensorBuffer numbers(double... values) {
        return new TensorBuffer.Doubles(values);
    }

    @Test
    void allWorkersReceiveTheSumOnceAllHaveSent() {
        sum.part(1, 0, numbers(1, 2), second);
        assertThat(second.heard).isEmpty();
        sum.part(0, 0, numbers(10, 20), first);

        assertThat(first.heard).containsExactly("1 0 11.0 22.0");
        assertThat(second.heard).containsExactly("1 0 11.0 22.0");
    }

    @Test
    void partsAreAddedInTheOrderOfRanks() {
        ShardSum three = new ShardSum(3, 3);
        three.part(2, 0, numbers(-1e16), second);
        three.part(1, 0, numbers(1e16), second);
        three.part(0, 0, numbers(1), first);

        assertThat(first.heard).as("(1 + 1e16) - 1e16").containsExactly("1 0 0.0");
    }

    @Test
    void aPartThatComesAgainCountsOnce() {
        sum.part(0, 0, numbers(1), first);
        sum.part(0, 0, numbers(1), first);
        sum.part(1, 0, numbers(2), second);

        assertThat(first.heard).containsExactly("1 0 3.0");
    }

    @Test
    void whoSendsAgainAfterTheSumIsMadeGetsIt() {
        sum.part(0, 0, numbers(1), first);
        sum.part(1, 0, numbers(2), second);
        sum.part(1, 0, numbers(2), second);

        assertThat(second.heard).containsExactly("1 0 3.0", "1 0 3.0");
    }

    @Test
    void whoIsAheadIsAskedForTheSumThatAnotherMissed() {
        sum.part(0, 8, numbers(5), first);
        sum.part(1, 7, numbers(2), second);
        assertThat(first.heard).containsExactly("2 7");
        sum.handleKnownSum(7, numbers(9));
        assertThat(second.heard).containsExactly("1 7 9.0");
        sum.part(1, 8, numbers(6), second);

        assertThat(first.heard).containsExactly("2 7", "1 8 11.0");
        assertThat(second.heard).containsExactly("1 7 9.0", "1 8 11.0");
    }

    @Test
    void whoIsAheadIsAskedAlsoIfItComesLater() {
        sum.part(1, 7, numbers(2), second);
        sum.part(0, 8, numbers(5), first);

        assertThat(first.heard).containsExactly("2 7");
    }

    @Test
    void aLatePartOfAnEarlierStepDelaysNoWorker() {
        sum.part(1, 2, numbers(2), second);
        sum.part(0, 8, numbers(5), first);
        sum.part(1, 8, numbers(6), second);

        assertThat(first.heard).containsExactly("1 8 11.0");
    }

    @Test
    void partsOfOtherLengthsAreRefused() {
        sum.part(0, 0, numbers(1), first);
        sum.part(1, 0, numbers(2, 3), second);

        assertThat(second.heard).containsExactly("5 0");
    }

    @Test
    void aWaitingWorkerIsNotifiedWhenTheShardLeaves() {
        sum.part(0, 4, numbers(1), first);
        sum.leave(Frame.ELSEWHERE);

        assertThat(first.heard).containsExactly("3 4");
    }

    /** The registry returns a shard, removes it on another thread, and then adds the part. */
    @Test
    void aPartForARemovedShardIsRejectedToo() {
        sum.leave(Frame.OVER);
        sum.part(0, 7, numbers(1), first);

        assertThat(first.heard).containsExactly(Frame.OVER + " 7");
    }
}
