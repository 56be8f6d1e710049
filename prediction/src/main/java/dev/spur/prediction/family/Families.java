package dev.spur.prediction.family;

import dev.spur.model.Checks;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.prediction.speed.PosteriorModel;
import dev.spur.prediction.speed.SpeedModels;
import dev.spur.prediction.speed.SpeedPrior;
import dev.spur.prediction.speed.SpeedShift;
import dev.spur.prediction.speed.StepObservation;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All job families, and the priors that they provide for a job: from its own family, and from the usual ratio of two
 * accelerator types. Fits are computed on first use and cached. Thread-safe.
 */
public final class Families {
    /** Families without any measurement. */
    public static final Families NONE = new Families(List.of());

    /** Difference between jobs of a family, as a standard deviation of logarithms of times. */
    private static final double WITHIN_FAMILY = 0.15;

    private record Key(String family, String acceleratorType, SyncStrategy strategy) {}

    private record Pair(String from, String to, SyncStrategy strategy) {}

    private final Map<String, FamilySpeeds> speedsByName = new LinkedHashMap<>();
    private final Map<Key, SpeedPrior> priors = new ConcurrentHashMap<>();
    private final Map<Key, SpeedPrior> usualPriors = new ConcurrentHashMap<>();
    private final Map<Key, Optional<PosteriorModel>> models = new ConcurrentHashMap<>();
    private final Map<Pair, Optional<SpeedShift>> shifts = new ConcurrentHashMap<>();

    public Families(Collection<FamilySpeeds> families) {
        for (FamilySpeeds family : families) {
            Checks.require(
                    speedsByName.put(family.family(), family) == null, "family %s appears twice", family.family());
        }
    }

    /** Returns the speeds of {@code family}; empty speeds if it is null or unknown. */
    public FamilySpeeds of(@Nullable String family) {
        FamilySpeeds known = family == null ? null : speedsByName.get(family);
        return known == null ? FamilySpeeds.unknown(family == null ? "none" : family) : known;
    }

    /** Returns the prior of {@code family} for a job on {@code type}; empty if none of it ran there. */
    public SpeedPrior prior(@Nullable String family, String type, SyncStrategy strategy) {
        return family == null ? SpeedPrior.NONE : priors.computeIfAbsent(new Key(family, type, strategy), this::prior);
    }

    private SpeedPrior prior(Key key) {
        List<StepObservation> seen = of(key.family).observations(key.acceleratorType, key.strategy);
        return seen.isEmpty() ? SpeedPrior.NONE : SpeedPrior.of(seen, SpeedPrior.NONE, WITHIN_FAMILY);
    }

    /** Returns the model of a family on a type; empty if none of it ran there. */
    public Optional<PosteriorModel> fit(@Nullable String family, String type, SyncStrategy strategy) {
        return family == null ? Optional.empty() : models.computeIfAbsent(new Key(family, type, strategy), this::fit);
    }

    private Optional<PosteriorModel> fit(Key key) {
        List<StepObservation> seen = of(key.family).observations(key.acceleratorType, key.strategy);
        return seen.isEmpty() ? Optional.empty() : Optional.of(SpeedModels.fit(seen));
    }

    /**
     * Returns the prior of all other families for {@code type} and its network, for a job whose own family never ran
     * there.
     *
     * @param family the job's own family, which is excluded; null if it has none
     */
    public SpeedPrior usual(@Nullable String family, String type, SyncStrategy strategy) {
        return usualPriors.computeIfAbsent(
                new Key(family == null ? "" : family, type, strategy),
                key -> SpeedPrior.ofOthers(
                        strategy,
                        speedsByName.values().stream()
                                .filter(other -> !other.family().equals(key.family))
                                .map(other -> other.observations(type, strategy))
                                .toList()));
    }

    /** Returns the difference of two types for families that ran on both; empty if none did. */
    public Optional<SpeedShift> shift(String from, String to, SyncStrategy strategy) {
        return shifts.computeIfAbsent(
                new Pair(from, to, strategy),
                pair -> SpeedShift.of(
                        strategy,
                        speedsByName.values().stream()
                                .filter(family ->
                                        family.acceleratorTypes(strategy).containsAll(List.of(from, to)))
                                .map(family -> new SpeedShift.Both(
                                        family.observations(from, strategy), family.observations(to, strategy)))
                                .toList()));
    }

    /** Returns the number of families that ran on both types under {@code strategy}. */
    public long onBoth(String one, String other, SyncStrategy strategy) {
        return speedsByName.values().stream()
                .filter(family -> family.acceleratorTypes(strategy).containsAll(List.of(one, other)))
                .count();
    }
}
