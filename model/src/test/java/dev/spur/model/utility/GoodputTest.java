package dev.spur.model.utility;

import static dev.spur.model.JobFixture.configuration;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.performance.SyncStrategy.ALL_REDUCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.HostGrant;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.EfficiencyPoint;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GoodputTest {
    @Test
    void itIsThroughputTimesEfficiency() {
        JobSpec spec = job("a").batch(new BatchLimits(32, 32, 64, 64, Map.of(), true))
                .efficiency(StatisticalEfficiency.ofNoiseScale(96))
                .speeds(100, 180)
                .spec();

        assertThat(Goodput.of(spec, configuration(List.of(2))))
                .as("180 samples/s at batch 64, of which (96 + 32) / (96 + 64) count")
                .isCloseTo(180 * 0.8, within(1e-9));
    }

    @Test
    void whatIsGrantedOfTheHostsMultipliesIt() {
        JobSpec spec = job("a").host(3, 8)
                .levels(new HostLevel(1, 8, 0.37), new HostLevel(3, 8, 1), new HostLevel(9, 8, 2.4))
                .spec();
        Configuration stated = configuration(List.of(2));
        double goodput = Goodput.of(spec, stated);

        assertThat(Goodput.of(spec, stated.withHost(new HostGrant(9, 8)))).isCloseTo(2.4 * goodput, within(1e-9));
        assertThat(Goodput.of(spec, stated.withHost(new HostGrant(1, 8)))).isCloseTo(0.37 * goodput, within(1e-9));
        assertThat(Goodput.of(spec, stated.withHost(new HostGrant(9, 9))))
                .as("no level of the job")
                .isZero();
        assertThat(Goodput.of(job("b").host(3, 8).spec(), stated.withHost(new HostGrant(3, 8))))
                .as("a job that states no sensitivity")
                .isZero();
    }

    @Test
    void theBestBatchIsTheBestOfAll() {
        for (long seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            JobSpec spec = random(random);
            int slots = 1 + random.nextInt(6);
            int nodes = 1 + random.nextInt(slots);

            OptionalInt found = Goodput.bestBatch(spec, "A", slots, nodes, ALL_REDUCE, 0);

            double max = mostOverAllBatches(spec, slots, nodes);
            assertThat(found.isPresent()).as("seed %d", seed).isEqualTo(max > 0);
            found.ifPresent(
                    batch -> assertThat(goodput(spec, slots, nodes, batch)).isCloseTo(max, within(1e-9 * max)));
            found.ifPresent(
                    batch -> assertThat(spec.batch().allows(batch, "A", slots)).isTrue());
        }
    }

    @Test
    void ofSeveralBestBatchesTheSmallestIsTaken() {
        JobSpec level = job("a").batch(new BatchLimits(64, 64, 4096, 4096, Map.of(), true))
                .speeds(100)
                .spec();

        assertThat(Goodput.bestBatch(level, "A100", 1, 1, ALL_REDUCE, 0)).hasValue(64);
    }

    @Test
    void thereIsNoneWhereNoBatchFitsOrNothingRuns() {
        JobSpec tooLarge =
                job("a").batch(new BatchLimits(64, 64, 64, 16, Map.of(), false)).spec();
        JobSpec still = job("a").speeds(0, 0).spec();

        assertThat(Goodput.bestBatch(tooLarge, "A100", 3, 1, ALL_REDUCE, 0)).isEmpty();
        assertThat(Goodput.bestBatch(tooLarge, "A100", 4, 1, ALL_REDUCE, 0)).hasValue(64);
        assertThat(Goodput.bestBatch(still, "A100", 2, 1, ALL_REDUCE, 0)).isEmpty();
        assertThat(Goodput.bestBatch(still, "H100", 2, 1, ALL_REDUCE, 0)).isEmpty();
    }

    @Test
    void theInitialBatchIsKeptUntilEfficiencyIsKnown() {
        JobFixture job = job("a").batch(new BatchLimits(64, 32, 4096, 4096, Map.of(), true))
                .profile(ThroughputProfile.of(
                        ProfilePoint.allReduce("A100", 1, 1, 64, 100),
                        ProfilePoint.allReduce("A100", 1, 1, 4096, 800)));

        assertThat(Goodput.bestBatch(
                        job.efficiency(StatisticalEfficiency.UNKNOWN).spec(), "A100", 1, 1, ALL_REDUCE, 0))
                .hasValue(64);
        assertThat(Goodput.bestBatch(
                        job.efficiency(StatisticalEfficiency.ofNoiseScale(1e6)).spec(), "A100", 1, 1, ALL_REDUCE, 0))
                .hasValue(4096);
        assertThat(Goodput.bestBatch(
                        job.efficiency(StatisticalEfficiency.UNKNOWN).spec(), "A100", 3, 1, ALL_REDUCE, 0))
                .as("3 slots do not divide 64")
                .isEmpty();
    }

    private static double mostOverAllBatches(JobSpec spec, int slots, int nodes) {
        double max = 0;
        for (int batch = 1; batch <= spec.batch().max(); batch++) {
            if (spec.plannedBatch().allows(batch, "A", slots)) {
                max = Math.max(max, goodput(spec, slots, nodes, batch));
            }
        }
        return max;
    }

    private static double goodput(JobSpec spec, int slots, int nodes, int batch) {
        return Goodput.of(spec, "A", slots, nodes, ALL_REDUCE, 0, batch);
    }

    private static JobSpec random(Random random) {
        List<ProfilePoint> points = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(10); i++) {
            int slots = 1 + random.nextInt(6);
            double speed = random.nextInt(6) == 0 ? 0 : 500 * random.nextDouble();
            points.add(ProfilePoint.allReduce("A", slots, 1 + random.nextInt(slots), 1 + random.nextInt(200), speed));
        }
        int min = 1 + random.nextInt(100);
        int initial = min + random.nextInt(100);
        return job("a").profile(new ThroughputProfile(points, List.of()))
                .batch(new BatchLimits(
                        initial,
                        min,
                        initial + random.nextInt(300),
                        1 + random.nextInt(150),
                        Map.of(),
                        random.nextBoolean(),
                        1 + random.nextInt(3)))
                .efficiency(efficiency(random))
                .spec();
    }

    private static StatisticalEfficiency efficiency(Random random) {
        if (random.nextBoolean()) {
            return StatisticalEfficiency.ofNoiseScale(random.nextInt(500));
        }
        Map<Integer, EfficiencyPoint> points = new TreeMap<>();
        for (int i = 0; i < random.nextInt(5); i++) {
            int batch = 1 + random.nextInt(300);
            points.put(batch, new EfficiencyPoint(batch, 0.05 + 0.95 * random.nextDouble()));
        }
        return new StatisticalEfficiency(null, List.copyOf(points.values()));
    }
}
