package dev.spur.benchmarks.reality;

import dev.spur.model.Checks;

/**
 * Class of scenarios. Its scenarios differ in their seed. Scenarios of equal seed have the same random numbers in all
 * classes, so two classes that differ in one property have the same jobs apart from it.
 *
 * @param name unique name, as used on the command line
 * @param elasticShare probability that a job is elastic, from 0 to 1; others are rigid
 * @param sizes requested slots
 * @param runTimes run times relative to {@code meanSeconds}
 * @param knowledge knowledge of the policies about the work of a job
 * @param hardware nodes
 * @param tenancy tenants
 * @param restartSeconds stall of each start, at least 0
 * @param roundSeconds time between two rounds, above 0
 * @param meanSeconds scale of the run times on the requested slots, above 0
 * @param minLoad lowest offered load, above 0: slot-seconds that arrive per second and slot
 * @param maxLoad highest offered load; the load of a scenario is uniform between both
 */
record ScenarioClass(
        String name,
        double elasticShare,
        GangSizes sizes,
        RunTimes runTimes,
        WorkKnowledge knowledge,
        Hardware hardware,
        Tenancy tenancy,
        double restartSeconds,
        double roundSeconds,
        double meanSeconds,
        double minLoad,
        double maxLoad) {
    /** Rigid jobs of mixed sizes with known work on four nodes of 8; restart cost and rounds of a minute. */
    private static final ScenarioClass BASE = new ScenarioClass(
            "base",
            0,
            GangSizes.MIXED,
            RunTimes.LOG_NORMAL,
            WorkKnowledge.KNOWN,
            Hardware.FOUR_OF_8,
            Tenancy.ONE,
            60,
            60,
            3600,
            0.7,
            1.3);

    ScenarioClass {
        Checks.nonBlank("name", name);
        Checks.require(
                elasticShare >= 0 && elasticShare <= 1, "elasticShare (%s) must be from 0 to 1", elasticShare);
        Checks.atLeast("restartSeconds", restartSeconds, 0);
        Checks.positive("roundSeconds", roundSeconds);
        Checks.positive("meanSeconds", meanSeconds);
        Checks.positive("minLoad", minLoad);
        Checks.atLeast("maxLoad", maxLoad, minLoad);
    }

    /** Returns a class of jobs of mixed sizes on four nodes of 8. */
    static ScenarioClass of(String name, double elasticShare, WorkKnowledge knowledge) {
        return new ScenarioClass(
                name,
                elasticShare,
                BASE.sizes,
                BASE.runTimes,
                knowledge,
                BASE.hardware,
                BASE.tenancy,
                BASE.restartSeconds,
                BASE.roundSeconds,
                BASE.meanSeconds,
                BASE.minLoad,
                BASE.maxLoad);
    }

    ScenarioClass jobs(GangSizes otherSizes, RunTimes otherRunTimes) {
        return new ScenarioClass(
                name,
                elasticShare,
                otherSizes,
                otherRunTimes,
                knowledge,
                hardware,
                tenancy,
                restartSeconds,
                roundSeconds,
                meanSeconds,
                minLoad,
                maxLoad);
    }

    ScenarioClass on(Hardware otherHardware, Tenancy otherTenancy) {
        return new ScenarioClass(
                name,
                elasticShare,
                sizes,
                runTimes,
                knowledge,
                otherHardware,
                otherTenancy,
                restartSeconds,
                roundSeconds,
                meanSeconds,
                minLoad,
                maxLoad);
    }

    ScenarioClass times(double restart, double round, double mean) {
        return new ScenarioClass(
                name, elasticShare, sizes, runTimes, knowledge, hardware, tenancy, restart, round, mean, minLoad, maxLoad);
    }

    ScenarioClass load(double min, double max) {
        return new ScenarioClass(
                name,
                elasticShare,
                sizes,
                runTimes,
                knowledge,
                hardware,
                tenancy,
                restartSeconds,
                roundSeconds,
                meanSeconds,
                min,
                max);
    }
}
