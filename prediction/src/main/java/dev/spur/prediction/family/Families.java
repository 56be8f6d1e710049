package dev.spur.prediction.family;

import dev.spur.model.Checks;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.prediction.speed.FittedSpeed;
import dev.spur.prediction.speed.Observation;
import dev.spur.prediction.speed.SpeedModels;
import dev.spur.prediction.speed.SpeedPrior;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All families, and what they tell about a job: by its own family, and by how much two types usually differ. Fits are made when they
 * are first asked for and kept. Safe for use by several threads.
 */
public final class Families {
    /** Nobody has run anything. */
    public static final Families NONE = new Families(List.of());

    /** How far jobs of a family differ, as a standard deviation of logarithms of times. */
    private static final double WITHIN_FAMILY = 0.15;
    /** How far the ratio of two types differs between families where that was not seen. */
    private static final double BETWEEN_FAMILIES = 0.5;

    private record Key(String family, String acceleratorType, SyncStrategy strategy) {}

    private record Pair(String from, String to, SyncStrategy strategy) {}

    private final Map<String, FamilySpeeds> byName = new LinkedHashMap<>();
    private final Map<Key, SpeedPrior> priors = new ConcurrentHashMap<>();
    private final Map<Key, Optional<FittedSpeed>> fits = new ConcurrentHashMap<>();
    private final Map<Pair, Optional<TypeDifference>> differences = new ConcurrentHashMap<>();

    public Families(Collection<FamilySpeeds> families) {
        for (FamilySpeeds family : families) {
            Checks.require(byName.put(family.family(), family) == null, "family %s is given twice", family.family());
        }
    }

    /** What is known of {@code family}; nothing, if it is null or was never seen. */
    public FamilySpeeds of(@Nullable String family) {
        FamilySpeeds known = family == null ? null : byName.get(family);
        return known == null ? FamilySpeeds.unknown(family == null ? "none" : family) : known;
    }

    /** What {@code family} tells of a job on {@code type}; empty if none of it ran there. */
    public SpeedPrior prior(@Nullable String family, String type, SyncStrategy strategy) {
        return family == null ? SpeedPrior.NONE : priors.computeIfAbsent(new Key(family, type, strategy), this::prior);
    }

    private SpeedPrior prior(Key key) {
        List<Observation> seen = of(key.family).observations(key.acceleratorType, key.strategy);
        return seen.isEmpty() ? SpeedPrior.NONE : SpeedPrior.of(seen, SpeedPrior.NONE, WITHIN_FAMILY);
    }

    /** The model of a family on a type; empty if none of it ran there. */
    public Optional<FittedSpeed> fit(@Nullable String family, String type, SyncStrategy strategy) {
        return family == null ? Optional.empty() : fits.computeIfAbsent(new Key(family, type, strategy), this::fit);
    }

    private Optional<FittedSpeed> fit(Key key) {
        List<Observation> seen = of(key.family).observations(key.acceleratorType, key.strategy);
        return seen.isEmpty() ? Optional.empty() : Optional.of(SpeedModels.fit(seen));
    }

    /** By how much steps on {@code to} usually take longer than on {@code from}; empty if no family ran on both. */
    public Optional<TypeDifference> difference(String from, String to, SyncStrategy strategy) {
        return differences.computeIfAbsent(new Pair(from, to, strategy), this::difference);
    }

    private Optional<TypeDifference> difference(Pair pair) {
        List<Double> logs = new ArrayList<>();
        for (FamilySpeeds family : byName.values()) {
            List<Observation> there = family.observations(pair.to, pair.strategy);
            if (!there.isEmpty()) {
                fit(family.family(), pair.from, pair.strategy)
                        .ifPresent(here -> logs.add(there.stream()
                                .mapToDouble(o -> Math.log(o.stepSeconds() / here.stepSeconds(o.shape())))
                                .average()
                                .orElseThrow()));
            }
        }
        return logs.isEmpty() ? Optional.empty() : Optional.of(TypeDifference.of(logs, BETWEEN_FAMILIES));
    }
}
