package dev.spur.benchmarks.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/**
 * Fault at a time.
 *
 * @param at start, seconds since the start of the run
 * @param seconds duration until it is healed
 * @param kind kind of the fault
 * @param target index of the component, of those that the kind hits
 * @param choice random number by which the fault chooses among what exists then
 */
public record Fault(double at, double seconds, FaultKind kind, int target, int choice) {
    private static final double FIRST_SECONDS = 20;
    private static final double SHORTEST_SECONDS = 5;
    private static final double LONGEST_SECONDS = 60;
    /** Time between two faults of a component, because a busy machine injects and heals late. */
    private static final double SETTLE_SECONDS = 15;

    /**
     * Draws the faults of a run; equal arguments give equal faults. All are healed by the end, and no component has two
     * faults at a time.
     *
     * @param seed seed of the generator
     * @param runSeconds duration of the run, seconds
     * @param meanGapSeconds mean time between the starts of two faults, seconds
     * @param kinds kinds to draw from
     */
    public static List<Fault> draw(long seed, double runSeconds, double meanGapSeconds, Set<FaultKind> kinds) {
        Random random = new Random(seed);
        List<FaultKind> choices = kinds.stream().sorted().toList();
        List<Fault> faults = new ArrayList<>();
        double at = FIRST_SECONDS;
        while (true) {
            at += 2 * meanGapSeconds * random.nextDouble();
            FaultKind kind = choices.get(random.nextInt(choices.size()));
            double seconds = SHORTEST_SECONDS + (LONGEST_SECONDS - SHORTEST_SECONDS) * random.nextDouble();
            Fault fault =
                    new Fault(at, seconds, kind, random.nextInt(kind.target.count), random.nextInt(Integer.MAX_VALUE));
            if (at + SHORTEST_SECONDS > runSeconds) {
                return faults;
            }
            if (fault.end() <= runSeconds && faults.stream().noneMatch(fault::meets)) {
                faults.add(fault);
            }
        }
    }

    double end() {
        return at + seconds;
    }

    /** Returns the name of the component that the fault hits. */
    String component() {
        return "%s %d".formatted(kind.target, target + 1);
    }

    private boolean meets(Fault other) {
        return component().equals(other.component())
                && at < other.end() + SETTLE_SECONDS
                && other.at < end() + SETTLE_SECONDS;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s %d for %.0f s", kind, target + 1, seconds);
    }
}
