package dev.spur.simulator.trace.gavel;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.simulator.trace.GroundTruth;
import dev.spur.simulator.trace.PolicyView;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.ProgressRate;
import dev.spur.simulator.trace.RunHistory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Job whose speed comes from a table: at each batch size of its schedule, on a fixed number of slots. Progress counts
 * the samples of all slots; each step processes its batch on each slot. A policy receives the current speed and the
 * remaining samples, but not future speed changes.
 */
final class TableJob implements GroundTruth, PolicyViewModel {
    /** Range of progress with one speed on each type. */
    private record Stretch(double endSamples, JobSpec spec) {}

    private final int slots;
    private final double startSeconds;
    private final double totalSamples;
    private final List<Stretch> stretches = new ArrayList<>();

    /**
     * Creates a job.
     *
     * @param type job type with the initial batch size
     * @param slots slots of the job
     * @param steps steps at the initial batch size
     * @param samplesPerEpoch size of the data set
     * @param regimes regimes of its batch size, the first one from epoch 0
     * @param types types of the cluster
     * @param startSeconds seconds from the assignment of slots to progress, at each start
     */
    TableJob(
            ThroughputTable table,
            JobType type,
            int slots,
            double steps,
            double samplesPerEpoch,
            List<Regime> regimes,
            double weight,
            Collection<String> types,
            double startSeconds) {
        this.slots = slots;
        this.startSeconds = startSeconds;
        totalSamples = steps * type.batch() * slots;
        for (int i = 0; i < regimes.size(); i++) {
            boolean last = i == regimes.size() - 1;
            double end = last ? totalSamples : regimes.get(i + 1).firstEpoch() * samplesPerEpoch * slots;
            double begin = regimes.get(i).firstEpoch() * samplesPerEpoch * slots;
            if (begin < totalSamples) {
                JobType now = type.withBatch(regimes.get(i).batch());
                stretches.add(new Stretch(Math.min(end, totalSamples), spec(table, now, weight, types)));
            }
        }
    }

    private JobSpec spec(ThroughputTable table, JobType type, double weight, Collection<String> types) {
        int batch = type.batch() * slots;
        List<ProfilePoint> points = new ArrayList<>();
        for (String name : types) {
            double steps = table.stepsPerSecond(name, type, slots);
            if (steps > 0) {
                points.add(ProfilePoint.allReduce(name, slots, 1, batch, steps * batch));
            }
        }
        return new JobSpec(
                new Work(WorkUnit.SAMPLES, totalSamples, null),
                Elasticity.between(slots, slots),
                BatchLimits.ofBatch(batch),
                Synchronization.allReduceOnly(),
                StatisticalEfficiency.UNKNOWN,
                new ThroughputProfile(points, List.of()),
                HostDemand.NONE,
                startSeconds,
                0,
                true,
                weight,
                0,
                null,
                null);
    }

    /** Returns the seconds of all work on the fastest type; infinite if no type completes all of it. */
    double secondsAlone(Collection<String> types) {
        return types.stream().mapToDouble(this::secondsOn).min().orElse(Double.POSITIVE_INFINITY);
    }

    private double secondsOn(String type) {
        double seconds = 0;
        double from = 0;
        for (Stretch stretch : stretches) {
            seconds += (stretch.endSamples - from) / samplesPerSecond(stretch, type);
            from = stretch.endSamples;
        }
        return seconds;
    }

    private static double samplesPerSecond(Stretch stretch, String type) {
        return stretch.spec.profile().points().stream()
                .filter(point -> point.acceleratorType().equals(type))
                .mapToDouble(ProfilePoint::samplesPerSecond)
                .findFirst()
                .orElse(0);
    }

    @Override
    public ProgressRate progressRate(Configuration configuration, double doneSamples) {
        int at = segmentAt(doneSamples);
        Stretch stretch = stretches.get(at);
        double speed = configuration.slots() == slots ? samplesPerSecond(stretch, configuration.acceleratorType()) : 0;
        return new ProgressRate(speed, stretch.endSamples, at == stretches.size() - 1);
    }

    private int segmentAt(double doneSamples) {
        int at = 0;
        while (at < stretches.size() - 1 && stretches.get(at).endSamples <= doneSamples) {
            at++;
        }
        return at;
    }

    @Override
    public double startSeconds(boolean first) {
        return startSeconds;
    }

    @Override
    public boolean tunesBatch() {
        return stretches.size() > 1;
    }

    @Override
    public PolicyView after(RunHistory history) {
        double done = history.doneSamples();
        return new PolicyView(stretches.get(segmentAt(done)).spec, Math.max(0, totalSamples - done));
    }
}
