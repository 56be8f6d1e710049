package dev.spur.benchmarks.scaling;

import dev.spur.benchmarks.instance.Feature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Set of constraint kinds of a generated round.
 *
 * @param name value of the command-line option
 * @param features the kinds
 */
public record ConstraintSet(String name, Set<Feature> features) {
    /** Slots only. */
    public static final ConstraintSet BARE = new ConstraintSet("bare", EnumSet.noneOf(Feature.class));
    /** Kinds that no set contains unless they are named. */
    private static final Set<Feature> NAMED_ONLY =
            EnumSet.of(Feature.UNEVEN, Feature.PLACES, Feature.NAMES, Feature.OVERLAPS);

    /** All kinds on nodes of equal slots for each type. */
    public static final ConstraintSet FULL = new ConstraintSet("full", allBut(NAMED_ONLY));

    /** All of them but the restart limit, which a service does not have unless it is set. */
    public static final ConstraintSet UNLIMITED = withoutRestartLimit();

    public ConstraintSet {
        features = Set.copyOf(features);
    }

    private static Set<Feature> allBut(Set<Feature> excluded) {
        return EnumSet.complementOf(EnumSet.copyOf(excluded));
    }

    private static ConstraintSet withoutRestartLimit() {
        Set<Feature> features = allBut(NAMED_ONLY);
        features.remove(Feature.RESTART_LIMIT);
        return new ConstraintSet("unlimited", features);
    }

    /**
     * Parses {@code text}: {@code bare}, {@code full}, {@code unlimited}, kinds joined by a plus as in
     * {@code quotas+hosts}, or {@code each} for the bare set, each kind alone, and the full set.
     *
     * @throws IllegalArgumentException if a name is unknown
     */
    public static List<ConstraintSet> parse(String text) {
        String name = text.strip().toLowerCase(Locale.ROOT);
        return switch (name) {
            case "bare" -> List.of(BARE);
            case "full" -> List.of(FULL);
            case "unlimited" -> List.of(UNLIMITED);
            case "each" -> each();
            default ->
                List.of(new ConstraintSet(
                        name,
                        Arrays.stream(name.split("\\+"))
                                .map(ConstraintSet::feature)
                                .collect(Collectors.toSet())));
        };
    }

    private static List<ConstraintSet> each() {
        List<ConstraintSet> programs = new ArrayList<>(List.of(BARE));
        for (Feature feature : Feature.values()) {
            programs.add(alone(feature));
        }
        programs.add(FULL);
        return programs;
    }

    /**
     * Returns the set with one kind. Kinds that apply only to running jobs are combined with the kinds that create
     * running jobs.
     */
    private static ConstraintSet alone(Feature feature) {
        return switch (feature) {
            case RESTART_LIMIT, PROTECTED ->
                new ConstraintSet("restarts+" + nameOf(feature), EnumSet.of(Feature.RESTARTS, feature));
            case AGGREGATION, HOSTS, QUOTAS, RESTARTS, CLOSED_NODES, GROUPS, UNEVEN, PLACES, NAMES, OVERLAPS ->
                new ConstraintSet(nameOf(feature), EnumSet.of(feature));
        };
    }

    private static Feature feature(String name) {
        return Arrays.stream(Feature.values())
                .filter(feature -> nameOf(feature).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "Unknown constraint kind: %s; known kinds: bare, full, unlimited, each, %s"
                                .formatted(
                                        name,
                                        Arrays.stream(Feature.values())
                                                .map(ConstraintSet::nameOf)
                                                .collect(Collectors.joining(", ")))));
    }

    private static String nameOf(Feature feature) {
        return feature.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
