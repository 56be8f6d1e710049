package dev.spur.simulator.replay;

import dev.spur.model.Checks;

/**
 * Spacing of the rounds of a rollout.
 *
 * @param shortestSeconds shortest pause between two rounds, above 0
 * @param share pause as a fraction of the time since the beginning, at least 0
 * @param gridSeconds rounds are at multiples of this; 0 for any time
 */
public record RoundSpacing(double shortestSeconds, double share, double gridSeconds) {
    public RoundSpacing {
        Checks.positive("shortestSeconds", shortestSeconds);
        Checks.atLeast("share", share, 0);
        Checks.atLeast("gridSeconds", gridSeconds, 0);
    }

    /** Returns the pause after a round that is {@code seconds} from the beginning. */
    double after(double seconds) {
        return Math.max(shortestSeconds, seconds * share);
    }

    /** Returns the first time of the grid that is not before {@code time}. */
    double onGrid(double time) {
        return gridSeconds == 0 || Double.isInfinite(time) ? time : Math.ceil(time / gridSeconds) * gridSeconds;
    }
}
