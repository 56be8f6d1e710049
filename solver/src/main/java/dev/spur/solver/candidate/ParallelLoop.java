package dev.spur.solver.candidate;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Parallel loop over jobs, on all cores where that pays. */
public final class ParallelLoop {
    /** Number of jobs below which a second thread costs more than it saves. */
    private static final int WORTH_PARALLEL = 300;

    private ParallelLoop() {}

    /** Returns the numbers from 0 up to {@code count}; results collected from them keep their order. */
    public static IntStream range(int count) {
        IntStream all = IntStream.range(0, count);
        return count < WORTH_PARALLEL ? all : all.parallel();
    }

    /** Runs both, at the same time on two cores. */
    public static void runBoth(Runnable one, Runnable other) {
        each(2, i -> (i == 0 ? one : other).run());
    }

    /**
     * Runs {@code work} for each number from 0 up to {@code count}, on all cores. Each thread takes the next number
     * when it is idle, which balances work of very different size if the largest come first.
     */
    public static void each(int count, IntConsumer work) {
        AtomicInteger next = new AtomicInteger();
        IntStream.range(0, Math.min(count, Runtime.getRuntime().availableProcessors()))
                .parallel()
                .forEach(worker -> {
                    for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                        work.accept(i);
                    }
                });
    }
}
