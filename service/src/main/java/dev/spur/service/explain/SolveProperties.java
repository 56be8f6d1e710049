package dev.spur.service.explain;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What questions may cost. Rounds have priority by being few: questions share a small number of threads of their own.
 *
 * @param concurrency solves at a time
 * @param queue solves that may wait
 * @param maxWork largest work budget that a caller gets
 * @param maxWallSeconds longest time on the clock that a caller gets
 * @param maxWorkers most solver threads that a caller gets
 * @param unblockSeconds longest search for what would start a job
 */
@ConfigurationProperties("spur.solve")
record SolveProperties(
        @DefaultValue("1") int concurrency,
        @DefaultValue("8") int queue,
        @DefaultValue("60") double maxWork,
        @DefaultValue("60") double maxWallSeconds,
        @DefaultValue("2") int maxWorkers,
        @DefaultValue("20") double unblockSeconds) {}
