package dev.spur.simulator.trace.measured;

import dev.spur.model.allocation.Shapes;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.EfficiencyPoint;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.simulator.trace.PolicyView;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.RunHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** View model with all measurements and the gradient noise of each epoch, shared by all jobs of a model. */
final class OracleViewModel implements PolicyViewModel {
    private final AdaptiveModel adaptive;
    private final List<JobSpec> specsByEpoch;

    OracleViewModel(AdaptiveSpecs specs) {
        adaptive = specs.adaptive();
        ThroughputProfile profile = profile(specs);
        int max = specs.maxSlots();
        specsByEpoch = IntStream.range(0, adaptive.epochs())
                .mapToObj(epoch -> specs.spec(profile, efficiency(adaptive.model(), epoch), max))
                .toList();
    }

    @Override
    public PolicyView after(RunHistory history) {
        double done = history.doneSamples();
        return new PolicyView(specsByEpoch.get(adaptive.epochAt(done)), Math.max(0, adaptive.totalSamples() - done));
    }

    private static ThroughputProfile profile(AdaptiveSpecs specs) {
        List<ProfilePoint> points = new ArrayList<>();
        for (String type : specs.types()) {
            StepTimes times = specs.times(type);
            for (Map.Entry<Integer, Set<Integer>> shapes : times.shapes().entrySet()) {
                int nodes = shapes.getKey();
                for (int slots : shapes.getValue()) {
                    if (slots <= specs.inventory().slots(type)) {
                        specs.addPoints(
                                points,
                                type,
                                slots,
                                nodes,
                                specs.range(type, Shapes.even(slots, nodes)),
                                (perDevice, accumulation) ->
                                        times.mean(nodes, slots, perDevice).accumulate(accumulation));
                    }
                }
            }
        }
        return new ThroughputProfile(points, List.of());
    }

    /** Returns the efficiency at the validated batch sizes: gain per sample. */
    static StatisticalEfficiency efficiency(MeasuredModel model, int epoch) {
        return new StatisticalEfficiency(
                null,
                model.epochs().batches().stream()
                        .map(batch -> new EfficiencyPoint(
                                batch, Math.min(1, model.epochs().gain(batch, epoch) * model.initialBatch() / batch)))
                        .toList());
    }
}
