package dev.spur.solver.aggregation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackingStateTest {
    private static final int SLOTS = 4;
    private static final double ACCURACY = 1e-9;

    /** Incremental figures equal those of a packing that is filled once, and moves can be undone. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void figuresFollowEveryMoveAndEveryUndo(long seed) {
        Random random = new Random(seed);
        ShardClasses classes = kinds(random);
        PackingState packing = packing(classes);
        int[] places = new int[classes.count()];
        Arrays.setAll(places, kind -> random.nextInt(SLOTS));
        IntStream.range(0, places.length).forEach(kind -> packing.assignHome(kind, places[kind]));
        List<int[]> history = new ArrayList<>();
        List<Integer> marks = new ArrayList<>();

        for (int step = 0; step < 60; step++) {
            history.add(places.clone());
            marks.add(packing.mark());
            int kind = random.nextInt(places.length);
            int to = random.nextInt(SLOTS);
            packing.move(kind, places[kind], to, 1);
            places[kind] = to;
            assertEqual(packing, classes, places);
        }
        for (int back = 59; back >= 0; back -= 7) {
            packing.backTo(marks.get(back));
            assertEqual(packing, classes, history.get(back));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15})
    void loadAndExcessAreThoseOfTheDefinition(long seed) {
        Random random = new Random(seed);
        ShardClasses classes = kinds(random);
        int[] places = IntStream.range(0, classes.count()).map(kind -> 0).toArray();

        PackingState packing = filled(classes, places);

        double load =
                IntStream.range(0, classes.count()).mapToDouble(classes::load).sum();
        assertThat(packing.load(0)).isEqualTo(load, within(ACCURACY));
        assertThat(packing.excess() > 0)
                .isEqualTo(load > SharingLimits.DEFAULT.utilization() + ACCURACY || exceedsLoss(packing, classes));
    }

    private static boolean exceedsLoss(PackingState packing, ShardClasses classes) {
        double[] waits = IntStream.range(0, classes.jobs())
                .mapToDouble(packing::largestLoad)
                .toArray();
        double mean = DoubleStream.of(waits).filter(wait -> wait > 0).average().orElse(0);
        return mean > SharingLimits.DEFAULT.meanStallFraction() + ACCURACY
                || DoubleStream.of(waits).anyMatch(wait -> wait > SharingLimits.DEFAULT.maxStallFraction() + ACCURACY);
    }

    private static void assertEqual(PackingState packing, ShardClasses classes, int[] places) {
        PackingState once = filled(classes, places);
        assertThat(packing.excess()).isEqualTo(once.excess(), within(1e-6));
        assertThat(packing.waits()).isEqualTo(once.waits(), within(1e-6));
        for (int slot = 0; slot < SLOTS; slot++) {
            assertThat(packing.load(slot)).isEqualTo(once.load(slot), within(ACCURACY));
        }
        for (int job = 0; job < classes.jobs(); job++) {
            assertThat(packing.largestLoad(job)).isEqualTo(once.largestLoad(job), within(ACCURACY));
        }
    }

    private static PackingState filled(ShardClasses classes, int[] places) {
        PackingState packing = packing(classes);
        IntStream.range(0, places.length).forEach(kind -> packing.move(kind, PackingState.NOWHERE, places[kind], 1));
        return packing;
    }

    private static PackingState packing(ShardClasses classes) {
        return new PackingState(classes, List.of(1.0, 0.5, 1.0, 1.0), SharingLimits.DEFAULT);
    }

    /** Shards of different lengths, so that each is a kind of its own. */
    private static ShardClasses kinds(Random random) {
        return new ShardClasses(IntStream.range(0, 4)
                .mapToObj(job -> new AggregationDemand(
                        "job-" + job,
                        1,
                        random.doubles(1 + random.nextInt(3), 0.001, 0.2)
                                .boxed()
                                .toList()))
                .toList());
    }
}
