package dev.spur.benchmarks.instance;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Generator of jobs with individual profiles. Speeds follow Amdahl's law with a cost per node and 10 % noise. They are
 * measured on powers of two in one place, and up to a node's slots also on two nodes. A third of the jobs run on powers
 * of two only.
 */
final class JobFactory {
    private static final String[] TYPES = {"A", "B", "C"};
    private static final double[] SPEEDS = {3, 1.8, 1};
    private static final int[] NODE_SLOTS = {8, 8, 4};

    private final Random random;
    private final Set<Feature> features;
    private final int largest;

    JobFactory(Random random, Set<Feature> features, int largest) {
        this.random = random;
        this.features = features;
        this.largest = largest;
    }

    /** @param group search that the job is a trial of; null for none */
    Job waiting(String id, String tenant, @Nullable String group, double now) {
        double arrival = now - random.nextInt(7200);
        double work = Math.exp(15.5 + 1.5 * random.nextGaussian());
        JobSpec spec = spec(work, group);
        return new Job(
                id, tenant, arrival, spec, work, null, DeadlineStatus.NONE, ServiceHistory.ofArrival(arrival), null);
    }

    private JobSpec spec(double work, @Nullable String group) {
        boolean servers = features.contains(Feature.AGGREGATION) && random.nextInt(3) == 0;
        int min = 1 << random.nextInt(2);
        int max = Math.max(min, Math.min(largest, 1 << (5 + random.nextInt(2))));
        boolean powersOfTwo = random.nextInt(3) == 0;
        boolean pinned = features.contains(Feature.PROTECTED);
        return new JobSpec(
                new Work(WorkUnit.SAMPLES, work, null),
                new Elasticity(
                        List.of(),
                        List.of(),
                        min,
                        powersOfTwo ? max : Math.min(max, 24),
                        powersOfTwo,
                        List.of(),
                        null,
                        random.nextInt(4) == 0),
                new BatchLimits(128, 64, 4096, 128, Map.of(), true),
                new Synchronization(true, servers, servers ? 1 : 0, servers ? 4 : 0),
                StatisticalEfficiency.ofNoiseScale(Math.exp(5 + 2 * random.nextGaussian())),
                profile(servers),
                host(),
                20 + random.nextInt(100),
                pinned && random.nextInt(8) == 0 ? 3600 : 0,
                !pinned || random.nextInt(20) != 0,
                Math.exp(0.5 * random.nextGaussian()),
                0,
                group,
                null);
    }

    private HostDemand host() {
        if (!features.contains(Feature.HOSTS)) {
            return new HostDemand(4, 32);
        }
        double cpus = random.nextInt(4) == 0 ? 10 : 6;
        double memory = random.nextInt(5) == 0 ? 96 : 48;
        return new HostDemand(cpus, memory);
    }

    private ThroughputProfile profile(boolean servers) {
        double speed = Math.exp(4 + random.nextGaussian());
        double serial = 0.002 + 0.02 * random.nextDouble();
        double perNode = 0.005 + 0.03 * random.nextDouble();
        List<ProfilePoint> points = new ArrayList<>();
        for (int t = 0; t < TYPES.length; t++) {
            double own = speed * SPEEDS[t] * (0.7 + 0.6 * random.nextDouble());
            for (int k = 1; k <= 64; k *= 2) {
                int minNodes = Math.max(1, k / NODE_SLOTS[t]);
                int maxNodes = k > 1 && k <= NODE_SLOTS[t] ? 2 : minNodes;
                for (int nodes = minNodes; nodes <= maxNodes; nodes++) {
                    double rate = own * k / (1 + serial * (k - 1)) / (1 + perNode * (nodes - 1));
                    measure(points, TYPES[t], k, nodes, rate, servers);
                }
            }
        }
        return new ThroughputProfile(points, List.of());
    }

    private void measure(List<ProfilePoint> points, String type, int slots, int nodes, double rate, boolean servers) {
        double measured = rate * noise();
        points.add(ProfilePoint.allReduce(type, slots, nodes, 128, measured));
        points.add(ProfilePoint.allReduce(type, slots, nodes, 1024, measured * 1.5));
        for (int a = 1; servers && slots > 1 && a <= 4; a *= 2) {
            double served = measured * (1.3 + 0.2 * a) * noise();
            points.add(new ProfilePoint(type, slots, nodes, 1024, SyncStrategy.PARAMETER_SERVER, a, served));
        }
    }

    private double noise() {
        return 0.95 + 0.1 * random.nextDouble();
    }
}
