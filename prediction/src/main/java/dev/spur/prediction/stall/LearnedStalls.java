package dev.spur.prediction.stall;

import dev.spur.model.Checks;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Measured stalls of a job or of a family by kind of change. Plain data. The service and replays use it alike.
 *
 * @param byChange measurements by kind of change
 */
public record LearnedStalls(Map<ChangeMechanism, MeasuredStall> byChange) {
    /** No measurements. */
    public static final LearnedStalls NOTHING = new LearnedStalls(Map.of());

    /** Maximum stall in seconds; a longer interruption is no stall. */
    public static final double MAX = 86_400;
    /** Number of changes of each kind that a job adds to its family, so that no job outweighs the others. */
    private static final long SHARED = 3;
    /** Stall of a restart in seconds that a specification without a statement has. */
    private static final double DEFAULT_RESTART = 60;

    public LearnedStalls {
        byChange = byChange == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(byChange));
    }

    /** Returns the measurements in JSON; {@link #NOTHING} for null. */
    public static LearnedStalls read(@Nullable String json) {
        return json == null ? NOTHING : RoundJson.mapper().readValue(json, LearnedStalls.class);
    }

    /** Returns the measurements as JSON. */
    public String json() {
        return RoundJson.mapper().writeValueAsString(this);
    }

    /** Returns this object with one more measured change. {@code seconds} must be from 0 to {@link #MAX}. */
    public LearnedStalls and(ChangeMechanism change, double seconds) {
        Checks.require(seconds >= 0 && seconds <= MAX, "the stall (%s s) must be from 0 to %s s", seconds, (long) MAX);
        Map<ChangeMechanism, MeasuredStall> more = new TreeMap<>(byChange);
        more.put(change, of(change).and(seconds));
        return new LearnedStalls(more);
    }

    /** Returns true if the next change of this kind of the job counts for its family. */
    public boolean isShared(ChangeMechanism change) {
        return of(change).changes() < SHARED;
    }

    /** Returns {@code statedSpec} with the estimated stall of each change that the job supports. */
    public JobSpec effective(JobSpec statedSpec, LearnedStalls familyStalls) {
        return byChange.isEmpty() && familyStalls.byChange.isEmpty()
                ? statedSpec
                : statedSpec.withStalls(
                        change -> estimate(change, statedSpec, familyStalls).seconds());
    }

    /**
     * Returns the estimated stall of a change.
     *
     * @param statedSpec specification that the owner states
     * @param familyStalls measurements of the family of the job; {@link #NOTHING} without a family
     * @throws IllegalArgumentException if the job does not support the change
     */
    public StallEstimate estimate(ChangeMechanism change, JobSpec statedSpec, LearnedStalls familyStalls) {
        double seconds = statedSpec.stallSeconds(change);
        MeasuredStall own = of(change);
        MeasuredStall others = familyStalls.of(change);
        StallOrigin origin = StallOrigin.STATED;
        if (own.changes() > 0) {
            origin = StallOrigin.MEASURED;
        } else if (others.changes() > 0) {
            origin = StallOrigin.PREDICTED;
        } else if (change == ChangeMechanism.RESTART && seconds == DEFAULT_RESTART) {
            origin = StallOrigin.ASSUMED;
        }
        return new StallEstimate(StallModel.seconds(seconds, others, own), origin, own.changes());
    }

    private MeasuredStall of(ChangeMechanism change) {
        return byChange.getOrDefault(change, MeasuredStall.NONE);
    }
}
