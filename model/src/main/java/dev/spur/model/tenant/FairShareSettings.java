package dev.spur.model.tenant;

import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * How far what tenants have used counts against their jobs.
 *
 * @param halfLifeSeconds time in which what was used loses half of its weight; null if the past does not count
 * @param strength by which power of two a tenant's jobs weigh less for each share that it has used beyond its own; at
 *     least 0
 */
public record FairShareSettings(@Nullable Double halfLifeSeconds, double strength) {
    /** The past does not count. */
    public static final FairShareSettings OFF = new FairShareSettings(null, 1);

    public FairShareSettings {
        if (halfLifeSeconds != null) {
            Checks.positive("halfLifeSeconds", halfLifeSeconds);
        }
        Checks.atLeast("strength", strength, 0);
    }

    /** True if the past counts. */
    public boolean counts() {
        return halfLifeSeconds != null;
    }

    /** What is left after {@code seconds} of one slot-second; 1 if the past does not count. */
    public double left(double seconds) {
        return halfLifeSeconds == null ? 1 : Math.pow(2, -Math.max(0, seconds) / halfLifeSeconds);
    }

    /**
     * What is left of {@code slots} that were held for {@code seconds}, when they are given up, in slot-seconds: the
     * integral of 2^(-t / half-life) over t from 0 to {@code seconds}. If the past does not count, all of it.
     */
    public double leftOfUse(double slots, double seconds) {
        return halfLifeSeconds == null ? slots * seconds : slots * halfLifeSeconds / Math.log(2) * (1 - left(seconds));
    }
}
