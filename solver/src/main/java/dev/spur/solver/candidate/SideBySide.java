package dev.spur.solver.candidate;

import java.util.stream.IntStream;

/** Work that is done for each job by itself: on all cores where that pays. */
public final class SideBySide {
    /** Below so many jobs a second thread costs more than it gives. */
    private static final int WORTH_PARALLEL = 300;

    private SideBySide() {}

    /** The numbers from 0 up to {@code count}, in order in whatever is collected from them. */
    public static IntStream range(int count) {
        IntStream all = IntStream.range(0, count);
        return count < WORTH_PARALLEL ? all : all.parallel();
    }
}
