package dev.spur.model.tenant;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * How the past usage of tenants reduces the weight of their jobs.
 *
 * @param halfLifeSeconds half-life of past usage in seconds; null if past usage has no effect
 * @param strength decrease of the binary logarithm of a tenant's job weights per share used beyond its own; at least 0
 */
public record FairShareSettings(@Nullable Double halfLifeSeconds, double strength) {
    /** Past usage has no effect. */
    public static final FairShareSettings OFF = new FairShareSettings(null, 1);

    public FairShareSettings {
        if (halfLifeSeconds != null) {
            Checks.positive("halfLifeSeconds", halfLifeSeconds);
        }
        Checks.atLeast("strength", strength, 0);
    }

    /** Returns true if past usage has an effect. */
    @JsonIgnore
    public boolean isEnabled() {
        return halfLifeSeconds != null;
    }

    /** Returns the decayed value of one slot-second after {@code seconds}; 1 if past usage has no effect. */
    public double decay(double seconds) {
        return halfLifeSeconds == null ? 1 : Math.pow(2, -Math.max(0, seconds) / halfLifeSeconds);
    }

    /**
     * Returns the decayed usage, in slot-seconds, of {@code slots} that were held for {@code seconds}, at the time of
     * their release: the integral of 2^(-t / half-life) over t from 0 to {@code seconds}. Without a half-life it is the
     * full usage.
     */
    public double decayedUsage(double slots, double seconds) {
        return halfLifeSeconds == null ? slots * seconds : slots * halfLifeSeconds / Math.log(2) * (1 - decay(seconds));
    }
}
