package dev.spur.benchmarks.reality;

import static dev.spur.benchmarks.reality.WorkKnowledge.ESTIMATED;
import static dev.spur.benchmarks.reality.WorkKnowledge.KNOWN;
import static dev.spur.benchmarks.reality.WorkKnowledge.UNKNOWN;

import java.util.List;

/** The classes of the suite. */
final class ScenarioClasses {
    private static final double RIGID = 0;
    private static final double HALF = 0.5;
    private static final double ELASTIC = 1;
    private static final double MINUTES = 60;
    private static final double HOURS = 3600;

    /** One gang of two whole nodes in a stream of jobs of one slot. */
    static final String GANG_IN_STREAM = "gang-in-stream";

    private static final List<ScenarioClass> ALL = List.of(
            ScenarioClass.of("rigid-known", RIGID, KNOWN),
            ScenarioClass.of("rigid-estimated", RIGID, ESTIMATED),
            ScenarioClass.of("rigid-unknown", RIGID, UNKNOWN),
            ScenarioClass.of("half-known", HALF, KNOWN),
            ScenarioClass.of("half-estimated", HALF, ESTIMATED),
            ScenarioClass.of("half-unknown", HALF, UNKNOWN),
            ScenarioClass.of("elastic-known", ELASTIC, KNOWN),
            ScenarioClass.of("elastic-unknown", ELASTIC, UNKNOWN),
            ScenarioClass.of("philly", RIGID, ESTIMATED).jobs(GangSizes.PHILLY, RunTimes.PHILLY),
            ScenarioClass.of("helios", RIGID, UNKNOWN).jobs(GangSizes.GAVEL, RunTimes.HELIOS),
            ScenarioClass.of("openb", HALF, UNKNOWN).jobs(GangSizes.OPENB, RunTimes.OPENB),
            ScenarioClass.of(GANG_IN_STREAM, RIGID, ESTIMATED)
                    .jobs(GangSizes.SINGLE, RunTimes.LOG_NORMAL)
                    .on(Hardware.TWO_OF_8, Tenancy.ONE)
                    .times(MINUTES, 5 * MINUTES, 2 * HOURS)
                    .load(0.9, 1.1),
            ScenarioClass.of("quick-restarts", RIGID, ESTIMATED).times(10, 10, 10 * MINUTES),
            ScenarioClass.of("slow-restarts", RIGID, ESTIMATED).times(10 * MINUTES, 5 * MINUTES, 4 * HOURS),
            ScenarioClass.of("slow-restarts-quick-rounds", HALF, UNKNOWN).times(10 * MINUTES, MINUTES, 2 * HOURS),
            ScenarioClass.of("very-slow-restarts", RIGID, UNKNOWN).times(30 * MINUTES, 5 * MINUTES, 6 * HOURS),
            ScenarioClass.of("long-rounds", HALF, ESTIMATED).times(10 * MINUTES, 30 * MINUTES, 12 * HOURS),
            ScenarioClass.of("long-rounds-elastic", ELASTIC, ESTIMATED).times(30 * MINUTES, 30 * MINUTES, 24 * HOURS),
            ScenarioClass.of("uneven-rigid", RIGID, KNOWN)
                    .jobs(GangSizes.WIDE, RunTimes.LOG_NORMAL)
                    .on(Hardware.UNEVEN, Tenancy.ONE),
            ScenarioClass.of("uneven-half", HALF, ESTIMATED).on(Hardware.UNEVEN, Tenancy.ONE),
            ScenarioClass.of("one-broken", RIGID, ESTIMATED)
                    .jobs(GangSizes.WIDE, RunTimes.LOG_NORMAL)
                    .on(Hardware.ONE_BROKEN, Tenancy.ONE),
            ScenarioClass.of("two-broken", HALF, UNKNOWN)
                    .jobs(GangSizes.WIDE, RunTimes.LOG_NORMAL)
                    .on(Hardware.TWO_BROKEN, Tenancy.ONE),
            ScenarioClass.of("two-prices", HALF, ESTIMATED)
                    .jobs(GangSizes.WIDE, RunTimes.LOG_NORMAL)
                    .on(Hardware.TWO_PRICES, Tenancy.ONE),
            ScenarioClass.of("reserved-node", RIGID, ESTIMATED)
                    .jobs(GangSizes.WIDE, RunTimes.LOG_NORMAL)
                    .on(Hardware.FOUR_OF_8, Tenancy.RESERVED_NODE),
            ScenarioClass.of("quotas-rigid", RIGID, ESTIMATED).on(Hardware.FOUR_OF_8, Tenancy.QUOTAS),
            ScenarioClass.of("quotas-half", HALF, KNOWN).on(Hardware.FOUR_OF_8, Tenancy.QUOTAS),
            ScenarioClass.of("overload", RIGID, ESTIMATED).load(1.3, 1.3));

    private ScenarioClasses() {}

    /** Returns all classes; their names are unique. */
    static List<ScenarioClass> all() {
        return ALL;
    }
}
