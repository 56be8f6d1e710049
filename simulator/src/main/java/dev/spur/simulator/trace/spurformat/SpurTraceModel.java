package dev.spur.simulator.trace.spurformat;

import dev.spur.model.Checks;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.ChangeCosts;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.HostSensitivity;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Model that jobs train.
 *
 * @param initialBatch global batch size for which the model was tuned
 * @param maxBatch largest global batch size; null for the largest that the devices hold in one pass
 * @param maxBatchPerDevice maximum number of samples that fit one device; null for the initial batch size
 * @param noiseScale gradient noise scale in samples; null if unknown: the batch size then stays at the initial one
 * @param restartSeconds seconds lost with each start; null for none
 * @param speeds measured speeds
 * @param host host resources of each slot in addition to the accelerator; null for none
 * @param changeCosts changes without a restart; null for none
 * @param hostSensitivity speed with more or fewer host resources; null if exactly {@code host} must be granted
 * @param assumedStalls stalls that policies assume until they have learned those of the replay; null if policies know
 *     {@code restartSeconds} and {@code changeCosts} from the start
 */
record SpurTraceModel(
        int initialBatch,
        @Nullable Integer maxBatch,
        @Nullable Integer maxBatchPerDevice,
        @Nullable Double noiseScale,
        @Nullable Double restartSeconds,
        List<Speed> speeds,
        @Nullable ChangeCosts changeCosts,
        @Nullable HostDemand host,
        @Nullable HostSensitivity hostSensitivity,
        @Nullable AssumedStalls assumedStalls) {
    /**
     * Assumed stalls. Null for the true one.
     *
     * @param restartSeconds stall of a restart
     * @param reconfigureSeconds stall of a change of the batch
     * @param rescaleSeconds stall of a change of the number of slots
     * @param migrateSeconds stall of a move to other slots
     */
    record AssumedStalls(
            @Nullable Double restartSeconds,
            @Nullable Double reconfigureSeconds,
            @Nullable Double rescaleSeconds,
            @Nullable Double migrateSeconds) {
        /** Returns {@code spec} with these stalls of the changes that it supports. */
        JobSpec in(JobSpec spec) {
            return spec.withStalls(change -> {
                Double assumed = switch (change) {
                    case RESTART -> restartSeconds;
                    case RECONFIGURE -> reconfigureSeconds;
                    case RESCALE -> rescaleSeconds;
                    case MIGRATE -> migrateSeconds;
                    case UNCHANGED -> null;
                };
                return assumed == null ? spec.stallSeconds(change) : assumed;
            });
        }
    }

    /**
     * Measured speed with AllReduce.
     *
     * @param type accelerator type
     * @param slots devices used
     * @param nodes nodes used; null for one
     * @param batch global batch size; null for the initial one
     * @param samplesPerSecond samples per second
     */
    record Speed(
            String type,
            int slots,
            @Nullable Integer nodes,
            @Nullable Integer batch,
            double samplesPerSecond) {}

    SpurTraceModel {
        Checks.atLeast("initialBatch", initialBatch, 1);
        speeds = Checks.copy(speeds);
        Checks.require(!speeds.isEmpty(), "speeds must name at least one measured speed");
        if (hostSensitivity != null) {
            hostSensitivity.requireUnitSpeedAt(
                    host == null ? 0 : host.cpusPerSlot(), host == null ? 0 : host.memoryGiBPerSlot());
        }
    }

    HostDemand demand() {
        return host == null ? HostDemand.NONE : host;
    }

    ThroughputProfile profile() {
        List<ProfilePoint> points = speeds.stream()
                .map(speed -> ProfilePoint.allReduce(
                        speed.type(),
                        speed.slots(),
                        speed.nodes() == null ? 1 : speed.nodes(),
                        speed.batch() == null ? initialBatch : speed.batch(),
                        speed.samplesPerSecond()))
                .toList();
        return new ThroughputProfile(points, List.of());
    }

    /** Returns the batch sizes of a job with at most {@code maxSlots} slots. */
    BatchLimits batch(int maxSlots) {
        int perDevice = maxBatchPerDevice == null ? initialBatch : maxBatchPerDevice;
        int max = maxBatch == null ? BatchLimits.defaultMax(initialBatch, perDevice, maxSlots) : maxBatch;
        return new BatchLimits(initialBatch, initialBatch, max, perDevice, Map.of(), false);
    }

    StatisticalEfficiency efficiency() {
        return noiseScale == null ? StatisticalEfficiency.UNKNOWN : StatisticalEfficiency.ofNoiseScale(noiseScale);
    }

    double restart() {
        return restartSeconds == null ? 0 : restartSeconds;
    }
}
