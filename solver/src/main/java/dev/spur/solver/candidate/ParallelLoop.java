package dev.spur.solver.candidate;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Work that is done for each job by itself: on all cores where that pays. */
public final class ParallelLoop {
    /** Below so many jobs a second thread costs more than it gives. */
    private static final int WORTH_PARALLEL = 300;

    private ParallelLoop() {}

    /** The numbers from 0 up to {@code count}, in order in whatever is collected from them. */
    public static IntStream range(int count) {
        IntStream all = IntStream.range(0, count);
        return count < WORTH_PARALLEL ? all : all.parallel();
    }

    /**
     * Does {@code work} for each number from 0 up to {@code count}, on all cores: whoever is done takes the next
     * number, so that pieces of work of very different size come out even if the largest are first.
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
