package dev.spur.simulator.trace.measured;

import dev.spur.model.allocation.Shapes;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.performance.TypeRatio;
import dev.spur.prediction.BatchRange;
import dev.spur.prediction.StepTimeFit;
import dev.spur.prediction.StepTimeModel;
import dev.spur.prediction.StepTimeObservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** Profiles by step-time models that are fitted to what jobs have seen. */
final class LearnedProfiles {
    private record Seen(String type, Set<SeenStep> steps) {}

    private record SeenUpTo(Map<String, Set<SeenStep>> seen, int mostSlots) {}

    private final AdaptiveSpecs specs;
    private final Map<Seen, StepTimeModel> models = new ConcurrentHashMap<>();
    private final Map<SeenUpTo, ThroughputProfile> profiles = new ConcurrentHashMap<>();

    LearnedProfiles(AdaptiveSpecs specs) {
        this.specs = specs;
    }

    /** One slot of each type, all equally fast: one step a second. */
    ThroughputProfile ofNothing() {
        int batch = specs.adaptive().model().initialBatch();
        return new ThroughputProfile(
                specs.types().stream()
                        .map(type -> ProfilePoint.allReduce(type, 1, 1, batch, batch))
                        .toList(),
                List.of());
    }

    /** What is concluded for up to {@code mostSlots} slots from {@code seen}, which has at least one type. */
    ThroughputProfile of(Map<String, Set<SeenStep>> seen, int mostSlots) {
        return profiles.computeIfAbsent(new SeenUpTo(seen, mostSlots), this::learned);
    }

    private ThroughputProfile learned(SeenUpTo known) {
        List<ProfilePoint> points = new ArrayList<>();
        known.seen.forEach((type, steps) -> addPoints(points, type, model(type, steps), known.mostSlots));
        String like = specs.types().stream()
                .filter(known.seen::containsKey)
                .findFirst()
                .orElseThrow();
        List<TypeRatio> ratios = specs.types().stream()
                .filter(type -> !known.seen.containsKey(type) && peak(type) > 0 && peak(like) > 0)
                .map(type -> new TypeRatio(type, like, peak(type) / peak(like)))
                .toList();
        return new ThroughputProfile(points, ratios);
    }

    private double peak(String type) {
        return specs.times(type).peakOfOneSlot();
    }

    /** The step-time model fitted to {@code steps}, of which there is at least one. */
    StepTimeModel model(String type, Set<SeenStep> steps) {
        return models.computeIfAbsent(new Seen(type, steps), seen -> {
            StepTimes times = specs.times(type);
            return StepTimeFit.of(seen.steps.stream()
                    .map(step -> observed(step, times.at(step.shape(), step.perDevice())))
                    .toList());
        });
    }

    private static StepTimeObservation observed(SeenStep step, Timing timing) {
        return new StepTimeObservation(
                step.shape().size(), step.slots(), step.perDevice(), timing.step() - timing.sync(), timing.step());
    }

    /** The model tells one node from several, no more: one shape for each is enough. */
    private void addPoints(List<ProfilePoint> points, String type, StepTimeModel model, int mostSlots) {
        int perNode = specs.fleet().perNode(type);
        for (int slots : counts(mostSlots, perNode)) {
            int fewest = (slots + perNode - 1) / perNode;
            addPoints(points, type, model, slots, fewest);
            if (fewest == 1 && slots > 1) {
                addPoints(points, type, model, slots, 2);
            }
        }
    }

    private void addPoints(List<ProfilePoint> points, String type, StepTimeModel model, int slots, int nodes) {
        BatchRange range = specs.range(type, Shapes.even(slots, nodes));
        specs.addPoints(
                points,
                type,
                slots,
                nodes,
                range,
                (perDevice, accumulation) -> model.stepSeconds(nodes, slots, perDevice, accumulation));
    }

    /** Powers of two, whole nodes, and the most there may be: profiles are straight between them. */
    private static NavigableSet<Integer> counts(int most, int perNode) {
        NavigableSet<Integer> counts = new TreeSet<>(Set.of(most));
        for (int slots = 1; slots <= most; slots *= 2) {
            counts.add(slots);
        }
        for (int slots = perNode; slots <= most; slots += perNode) {
            counts.add(slots);
        }
        return counts;
    }
}
