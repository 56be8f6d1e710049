package dev.spur.benchmarks.ladder;

import dev.spur.benchmarks.instance.Feature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which kinds of constraints a generated round has.
 *
 * @param name what people type
 * @param features the kinds
 */
public record Program(String name, Set<Feature> features) {
    /** Only slots. */
    public static final Program BARE = new Program("bare", EnumSet.noneOf(Feature.class));
    /** Every kind. */
    public static final Program FULL = new Program("full", EnumSet.allOf(Feature.class));

    public Program {
        features = Set.copyOf(features);
    }

    /**
     * The programs that {@code text} names: {@code bare}, {@code full}, kinds joined by a plus as in {@code quotas+hosts}, or
     * {@code each} for the bare program, each kind by itself, and the full one.
     *
     * @throws IllegalArgumentException if a name is unknown
     */
    public static List<Program> parse(String text) {
        String name = text.strip().toLowerCase(Locale.ROOT);
        return switch (name) {
            case "bare" -> List.of(BARE);
            case "full" -> List.of(FULL);
            case "each" -> each();
            default ->
                List.of(new Program(
                        name,
                        Arrays.stream(name.split("\\+")).map(Program::feature).collect(Collectors.toSet())));
        };
    }

    private static List<Program> each() {
        List<Program> programs = new ArrayList<>(List.of(BARE));
        for (Feature feature : Feature.values()) {
            programs.add(alone(feature));
        }
        programs.add(FULL);
        return programs;
    }

    /** The kind by itself; what only holds back running jobs together with these. */
    private static Program alone(Feature feature) {
        return switch (feature) {
            case RESTART_LIMIT, UNTOUCHABLE ->
                new Program("restarts+" + nameOf(feature), EnumSet.of(Feature.RESTARTS, feature));
            case AGGREGATION, HOSTS, QUOTAS, RESTARTS, CLOSED_NODES, GROUPS ->
                new Program(nameOf(feature), EnumSet.of(feature));
        };
    }

    private static Feature feature(String name) {
        return Arrays.stream(Feature.values())
                .filter(feature -> nameOf(feature).equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("%s is no kind of constraint; there are bare, full, each, %s"
                                .formatted(
                                        name,
                                        Arrays.stream(Feature.values())
                                                .map(Program::nameOf)
                                                .collect(Collectors.joining(", ")))));
    }

    private static String nameOf(Feature feature) {
        return feature.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
