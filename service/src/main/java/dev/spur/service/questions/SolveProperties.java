package dev.spur.service.questions;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits of on-demand solves. They have their own small thread pool, so that scheduling rounds keep priority.
 *
 * @param concurrency maximum concurrent solves
 * @param queue maximum waiting solves
 * @param maxWork maximum work budget of a caller
 * @param maxWallTime maximum wall-clock time of a caller's solve
 * @param maxWorkers maximum solver threads of a caller
 * @param maxUnblockTime maximum duration of a search for what would start a job
 */
@ConfigurationProperties("spur.solve")
record SolveProperties(
        @DefaultValue("1") int concurrency,
        @DefaultValue("8") int queue,
        @DefaultValue("60") double maxWork,
        @DefaultValue("60s") Duration maxWallTime,
        @DefaultValue("2") int maxWorkers,
        @DefaultValue("20s") Duration maxUnblockTime) {}
