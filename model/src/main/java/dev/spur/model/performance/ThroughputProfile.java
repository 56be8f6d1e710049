package dev.spur.model.performance;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.spur.model.Checks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How fast a job runs: measured points, and what is concluded from them elsewhere. Points are taken as they are, be they
 * non-monotone, super-linear or zero; a configuration measured twice counts with the mean.
 *
 * <p>Between points, in turn for aggregation slots, slots and batch size: the chord between two measured values, level
 * beyond the last one, proportional below the first. Nodes are not interpolated: for each measured number of slots the
 * points with the most similar number of slots per node speak.
 */
public final class ThroughputProfile {
    private final List<ProfilePoint> points;
    private final List<TypeRatio> ratios;
    private final Set<String> types = new LinkedHashSet<>();
    private final Map<String, Surface> surfaces = new HashMap<>();
    private final Map<String, TypeRatio> ratioOf = new HashMap<>();
    private final Map<String, TreeSet<Integer>> nodeCounts = new HashMap<>();

    /** @throws IllegalArgumentException if a ratio names a type twice, a measured type, or an unmeasured one as its base */
    @com.fasterxml.jackson.annotation.JsonCreator
    public ThroughputProfile(
            @com.fasterxml.jackson.annotation.JsonProperty("points") @Nullable List<ProfilePoint> points,
            @com.fasterxml.jackson.annotation.JsonProperty("ratios") @Nullable List<TypeRatio> ratios) {
        this.points = Checks.copy(points);
        this.ratios = Checks.copy(ratios);
        Map<String, List<ProfilePoint>> byKey = new HashMap<>();
        for (ProfilePoint point : this.points) {
            byKey.computeIfAbsent(key(point.acceleratorType(), point.strategy()), k -> new ArrayList<>())
                    .add(point);
            nodeCounts
                    .computeIfAbsent(
                            shape(point.acceleratorType(), point.strategy(), point.slots()), k -> new TreeSet<>())
                    .add(point.nodes());
        }
        byKey.forEach((key, own) -> surfaces.put(key, new Surface(own)));
        this.points.forEach(point -> types.add(point.acceleratorType()));
        Set<String> measured = Set.copyOf(types);
        for (TypeRatio ratio : this.ratios) {
            Checks.require(
                    measured.contains(ratio.like()),
                    "ratio for %s: type %s has no measured point",
                    ratio.acceleratorType(),
                    ratio.like());
            Checks.require(
                    !measured.contains(ratio.acceleratorType()),
                    "ratio for %s: the type is measured",
                    ratio.acceleratorType());
            Checks.require(
                    ratioOf.put(ratio.acceleratorType(), ratio) == null,
                    "ratio for %s is given twice",
                    ratio.acceleratorType());
            types.add(ratio.acceleratorType());
        }
    }

    /** A profile of measured points alone. */
    public static ThroughputProfile of(ProfilePoint... points) {
        return new ThroughputProfile(List.of(points), List.of());
    }

    /** The measured points, in the order given. */
    @com.fasterxml.jackson.annotation.JsonProperty
    public List<ProfilePoint> points() {
        return points;
    }

    /** The stated ratios of types that were not measured. */
    @com.fasterxml.jackson.annotation.JsonProperty
    public List<TypeRatio> ratios() {
        return ratios;
    }

    /** Types that are measured or have a ratio, in the order in which they are named. */
    @JsonIgnore
    public Set<String> acceleratorTypes() {
        return types;
    }

    /** Samples per second, at least 0; 0 for a type or strategy of which nothing is known. */
    public double throughput(
            String acceleratorType,
            SyncStrategy strategy,
            int slots,
            int nodes,
            double aggregationSlots,
            int batchSize) {
        return curve(acceleratorType, strategy, slots, nodes, aggregationSlots).at(batchSize);
    }

    /** Throughput by batch size with all else fixed; 0 everywhere for a type or strategy of which nothing is known. */
    public BatchCurve curve(
            String acceleratorType, SyncStrategy strategy, int slots, int nodes, double aggregationSlots) {
        TypeRatio ratio = ratioOf.get(acceleratorType);
        Surface surface = surfaces.get(key(ratio == null ? acceleratorType : ratio.like(), strategy));
        return surface == null
                ? BatchCurve.NOTHING
                : surface.curve(aggregationSlots, slots, nodes, ratio == null ? 1 : ratio.factor());
    }

    /** Node counts measured with {@code slots} on {@code acceleratorType}, at whatever batch size, ascending. */
    public Set<Integer> nodeCounts(String acceleratorType, SyncStrategy strategy, int slots) {
        return Collections.unmodifiableSet(
                nodeCounts.getOrDefault(shape(measuredType(acceleratorType), strategy, slots), new TreeSet<>()));
    }

    /** Aggregation slots measured on {@code acceleratorType}, ascending, without 0. */
    public double[] aggregationSlots(String acceleratorType) {
        String type = measuredType(acceleratorType);
        return points.stream()
                .filter(p -> p.acceleratorType().equals(type) && p.strategy() == SyncStrategy.PARAMETER_SERVER)
                .mapToDouble(ProfilePoint::aggregationSlots)
                .sorted()
                .distinct()
                .toArray();
    }

    private String measuredType(String type) {
        TypeRatio ratio = ratioOf.get(type);
        return ratio == null ? type : ratio.like();
    }

    private static String key(String type, SyncStrategy strategy) {
        return strategy + "/" + type;
    }

    private static String shape(String type, SyncStrategy strategy, int slots) {
        return key(type, strategy) + "/" + slots;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ThroughputProfile profile
                && points.equals(profile.points)
                && ratios.equals(profile.ratios);
    }

    @Override
    public int hashCode() {
        return Objects.hash(points, ratios);
    }

    @Override
    public String toString() {
        return "ThroughputProfile[points=" + points + ", ratios=" + ratios + "]";
    }
}
