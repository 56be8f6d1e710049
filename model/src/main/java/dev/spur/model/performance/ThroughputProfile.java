package dev.spur.model.performance;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.spur.model.Checks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The throughput of a job by configuration: measured points, and ratios for unmeasured accelerator types. The points
 * may be non-monotone, super-linear or zero; a configuration measured twice has the mean of its points.
 *
 * <p>Between points, the throughput is interpolated by aggregation slots, then slots, then batch size: linear between
 * two measured values, constant above the last, proportional below the first. It is not interpolated over nodes: for
 * each measured slot count, the points with the closest number of slots per node are used; of two equally close node
 * counts, the greater one.
 *
 * <p>Points are measured on nodes without other jobs. In a cluster with contention, a profile is slower in the shapes
 * that share nodes.
 */
public final class ThroughputProfile {
    private final List<ProfilePoint> points;
    private final List<TypeRatio> ratios;
    private final boolean assumed;
    private final Set<String> types = new LinkedHashSet<>();
    /** by strategy, then by type: lookups are so frequent that they must not create a key object */
    private final Map<SyncStrategy, Map<String, ThroughputSurface>> surfaces;
    /** by type; absent for a type without contention */
    private final Map<String, Contention> contention;

    /** Creates a profile of known points. */
    public ThroughputProfile(List<ProfilePoint> points, List<TypeRatio> ratios) {
        this(points, ratios, false);
    }

    /**
     * Creates a profile.
     *
     * @param assumed true if no speed is known: the points only state where the job may run
     * @throws IllegalArgumentException if two ratios have the same type, a ratio is for a measured type, or its base
     *     type is not measured
     */
    @com.fasterxml.jackson.annotation.JsonCreator
    public ThroughputProfile(
            @com.fasterxml.jackson.annotation.JsonProperty("points") @Nullable List<ProfilePoint> points,
            @com.fasterxml.jackson.annotation.JsonProperty("ratios") @Nullable List<TypeRatio> ratios,
            @com.fasterxml.jackson.annotation.JsonProperty("assumed") @Nullable Boolean assumed) {
        this.points = Checks.copy(points);
        this.ratios = Checks.copy(ratios);
        this.assumed = Boolean.TRUE.equals(assumed);
        surfaces = new EnumMap<>(SyncStrategy.class);
        contention = Map.of();
        Map<SyncStrategy, Map<String, List<ProfilePoint>>> sorted = new EnumMap<>(SyncStrategy.class);
        for (ProfilePoint point : this.points) {
            types.add(point.acceleratorType());
            sorted.computeIfAbsent(point.strategy(), strategy -> new HashMap<>())
                    .computeIfAbsent(point.acceleratorType(), type -> new ArrayList<>())
                    .add(point);
        }
        sorted.forEach((strategy, byType) -> {
            Map<String, ThroughputSurface> own = new HashMap<>();
            byType.forEach((type, measured) -> own.put(type, new ThroughputSurface(measured)));
            surfaces.put(strategy, own);
        });
        Set<String> measured = Set.copyOf(types);
        this.ratios.forEach(ratio -> add(ratio, measured));
    }

    private ThroughputProfile(ThroughputProfile exclusiveProfile, Map<String, Contention> contention) {
        points = exclusiveProfile.points;
        ratios = exclusiveProfile.ratios;
        assumed = exclusiveProfile.assumed;
        types.addAll(exclusiveProfile.types);
        surfaces = exclusiveProfile.surfaces;
        this.contention = contention;
    }

    private void add(TypeRatio ratio, Set<String> measured) {
        String type = ratio.acceleratorType();
        Checks.require(
                measured.contains(ratio.like()), "ratio for %s: type %s has no measured point", type, ratio.like());
        Checks.require(!measured.contains(type), "ratio for %s: the type has measured points", type);
        Checks.require(types.add(type), "ratio for %s appears twice", type);
        for (Map<String, ThroughputSurface> byType : surfaces.values()) {
            ThroughputSurface like = byType.get(ratio.like());
            if (like != null) {
                byType.put(type, like.times(ratio.factor()));
            }
        }
    }

    /** Returns a profile of measured points without ratios. */
    public static ThroughputProfile of(ProfilePoint... points) {
        return new ThroughputProfile(List.of(points), List.of());
    }

    /** Returns this profile on nodes with these contentions, one for each type with contention. */
    public ThroughputProfile withContention(Map<String, Contention> other) {
        return contention.equals(other) ? this : new ThroughputProfile(this, Map.copyOf(other));
    }

    /**
     * Returns the speed in a shape relative to that on nodes without other jobs, in (0, 1]. The throughput contains it.
     */
    public double contentionSpeed(String acceleratorType, int slots, int nodes) {
        Contention known = nodes == 1 || contention.isEmpty() ? null : contention.get(acceleratorType);
        return known == null ? 1 : known.speed(slots, nodes);
    }

    /** Returns the measured points, in the order given. */
    @com.fasterxml.jackson.annotation.JsonProperty
    public List<ProfilePoint> points() {
        return points;
    }

    /** Returns the ratios of types that were not measured. */
    @com.fasterxml.jackson.annotation.JsonProperty
    public List<TypeRatio> ratios() {
        return ratios;
    }

    /** Returns true if no speed is known: the points only state where the job may run. */
    @com.fasterxml.jackson.annotation.JsonProperty("assumed")
    public boolean isAssumed() {
        return assumed;
    }

    /** Returns the types with points or with a ratio, in the order in which they are named. */
    @JsonIgnore
    public Set<String> acceleratorTypes() {
        return types;
    }

    /** Returns the throughput in samples per second, at least 0; 0 for an unknown type or strategy. */
    public double throughput(
            String acceleratorType,
            SyncStrategy strategy,
            int slots,
            int nodes,
            double aggregationSlots,
            int batchSize) {
        return curve(acceleratorType, strategy, slots, nodes, aggregationSlots).at(batchSize);
    }

    /**
     * Returns the throughput by batch size with all other parameters fixed; 0 everywhere for an unknown type or
     * strategy.
     */
    public BatchCurve curve(
            String acceleratorType, SyncStrategy strategy, int slots, int nodes, double aggregationSlots) {
        return surface(acceleratorType, strategy)
                .curve(aggregationSlots, slots, nodes, contentionSpeed(acceleratorType, slots, nodes));
    }

    /** Returns true if no measured point of {@code acceleratorType} is 0, so that the job runs there in every shape. */
    public boolean runsEverywhere(String acceleratorType, SyncStrategy strategy) {
        return surface(acceleratorType, strategy).isPositive();
    }

    /** Returns the node counts measured with {@code slots} on {@code acceleratorType} at any batch size, ascending. */
    public Set<Integer> nodeCounts(String acceleratorType, SyncStrategy strategy, int slots) {
        return Collections.unmodifiableSet(surface(acceleratorType, strategy).nodeCounts(slots));
    }

    /** Returns the aggregation slots measured on {@code acceleratorType}, ascending, without 0. */
    public double[] aggregationSlots(String acceleratorType) {
        return surface(acceleratorType, SyncStrategy.PARAMETER_SERVER).aggregationSlots();
    }

    private ThroughputSurface surface(String type, SyncStrategy strategy) {
        Map<String, ThroughputSurface> byType = surfaces.get(strategy);
        return byType == null ? ThroughputSurface.UNKNOWN : byType.getOrDefault(type, ThroughputSurface.UNKNOWN);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ThroughputProfile profile
                && points.equals(profile.points)
                && ratios.equals(profile.ratios)
                && assumed == profile.assumed
                && contention.equals(profile.contention);
    }

    @Override
    public int hashCode() {
        return Objects.hash(points, ratios, assumed, contention);
    }

    @Override
    public String toString() {
        return "ThroughputProfile[points=" + points + ", ratios=" + ratios + ", contention=" + contention.values()
                + "]";
    }
}
