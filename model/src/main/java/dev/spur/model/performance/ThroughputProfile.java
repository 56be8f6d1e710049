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
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How fast a job runs: measured points, and what is concluded from them elsewhere. Points are taken as they are, be
 * they non-monotone, super-linear or zero; a configuration measured twice counts with the mean.
 *
 * <p>Between points, in turn for aggregation slots, slots and batch size: the chord between two measured values, level
 * beyond the last one, proportional below the first. Nodes are not interpolated: for each measured number of slots the
 * points with the most similar number of slots per node speak.
 */
public final class ThroughputProfile {
    private static final TreeSet<Integer> NO_COUNTS = new TreeSet<>();

    private final List<ProfilePoint> points;
    private final List<TypeRatio> ratios;
    private final Set<String> types = new LinkedHashSet<>();
    /** By strategy, then by type: asked for so often that no key may have to be put together first. */
    private final Map<SyncStrategy, Map<String, ThroughputSurface>> surfaces = new EnumMap<>(SyncStrategy.class);

    private final Map<String, TypeRatio> ratioOf = new HashMap<>();
    /** By strategy, type and slots. */
    private final Map<SyncStrategy, Map<String, Map<Integer, TreeSet<Integer>>>> nodeCounts =
            new EnumMap<>(SyncStrategy.class);

    /**
     * @throws IllegalArgumentException if a ratio names a type twice, a measured type, or an unmeasured one as its base
     */
    @com.fasterxml.jackson.annotation.JsonCreator
    public ThroughputProfile(
            @com.fasterxml.jackson.annotation.JsonProperty("points") @Nullable List<ProfilePoint> points,
            @com.fasterxml.jackson.annotation.JsonProperty("ratios") @Nullable List<TypeRatio> ratios) {
        this.points = Checks.copy(points);
        this.ratios = Checks.copy(ratios);
        index();
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

    private void index() {
        Map<SyncStrategy, Map<String, List<ProfilePoint>>> sorted = new EnumMap<>(SyncStrategy.class);
        for (ProfilePoint point : points) {
            types.add(point.acceleratorType());
            sorted.computeIfAbsent(point.strategy(), strategy -> new HashMap<>())
                    .computeIfAbsent(point.acceleratorType(), type -> new ArrayList<>())
                    .add(point);
            nodeCounts
                    .computeIfAbsent(point.strategy(), strategy -> new HashMap<>())
                    .computeIfAbsent(point.acceleratorType(), type -> new HashMap<>())
                    .computeIfAbsent(point.slots(), slots -> new TreeSet<>())
                    .add(point.nodes());
        }
        sorted.forEach((strategy, byType) -> {
            Map<String, ThroughputSurface> own = new HashMap<>();
            byType.forEach((type, measured) -> own.put(type, new ThroughputSurface(measured)));
            surfaces.put(strategy, own);
        });
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
        ThroughputSurface surface =
                surfaces.getOrDefault(strategy, Map.of()).get(ratio == null ? acceleratorType : ratio.like());
        return surface == null
                ? BatchCurve.NOTHING
                : surface.curve(aggregationSlots, slots, nodes, ratio == null ? 1 : ratio.factor());
    }

    /**
     * True if the job is known to run on {@code acceleratorType} in whatever shape: no point there was measured as 0.
     */
    public boolean runsEverywhere(String acceleratorType, SyncStrategy strategy) {
        ThroughputSurface surface = surfaces.getOrDefault(strategy, Map.of()).get(measuredType(acceleratorType));
        return surface != null && surface.isPositive();
    }

    /** Node counts measured with {@code slots} on {@code acceleratorType}, at whatever batch size, ascending. */
    public Set<Integer> nodeCounts(String acceleratorType, SyncStrategy strategy, int slots) {
        return Collections.unmodifiableSet(nodeCounts
                .getOrDefault(strategy, Map.of())
                .getOrDefault(measuredType(acceleratorType), Map.of())
                .getOrDefault(slots, NO_COUNTS));
    }

    /** Aggregation slots measured on {@code acceleratorType}, ascending, without 0. */
    public double[] aggregationSlots(String acceleratorType) {
        ThroughputSurface surface =
                surfaces.getOrDefault(SyncStrategy.PARAMETER_SERVER, Map.of()).get(measuredType(acceleratorType));
        return surface == null ? new double[0] : surface.aggregationSlots();
    }

    private String measuredType(String type) {
        TypeRatio ratio = ratioOf.get(type);
        return ratio == null ? type : ratio.like();
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
