package dev.spur.simulator.trace.spurformat;

import dev.spur.model.Checks;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.HostDemand;
import dev.spur.model.performance.HostSensitivity;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A model that jobs train.
 *
 * @param initialBatch global batch size that the model was tuned for
 * @param maxBatch largest global batch size; null for the initial one alone
 * @param maxBatchPerDevice most samples that fit one device; null for the initial batch size
 * @param noiseScale gradient noise scale in samples; null if unknown: the batch then stays at the initial size
 * @param restartSeconds time lost with each start; null for none
 * @param speeds measured speeds
 * @param host what each slot needs of its node beside the accelerator; null for nothing
 * @param hostSensitivity how fast it is with more or less of that; null if only that may be granted
 */
record SpurTraceModel(
        int initialBatch,
        @Nullable Integer maxBatch,
        @Nullable Integer maxBatchPerDevice,
        @Nullable Double noiseScale,
        @Nullable Double restartSeconds,
        List<Speed> speeds,
        @Nullable HostDemand host,
        @Nullable HostSensitivity hostSensitivity) {
    /**
     * A measured speed with AllReduce.
     *
     * @param type accelerator type
     * @param slots devices used
     * @param nodes nodes they were on; null for one
     * @param batch global batch size; null for the initial one
     * @param samplesPerSecond the speed
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

    BatchLimits batch() {
        int most = maxBatch == null ? initialBatch : maxBatch;
        int perDevice = maxBatchPerDevice == null ? initialBatch : maxBatchPerDevice;
        return new BatchLimits(initialBatch, initialBatch, most, perDevice, Map.of(), false);
    }

    StatisticalEfficiency efficiency() {
        return noiseScale == null ? StatisticalEfficiency.UNKNOWN : StatisticalEfficiency.ofNoiseScale(noiseScale);
    }

    double restart() {
        return restartSeconds == null ? 0 : restartSeconds;
    }
}
