package dev.spur.service.plan;

import dev.spur.model.round.SolutionQuality;
import java.time.Instant;

/**
 * The part of a plan that one planning domain made.
 *
 * @param round number of the round that made the part
 * @param publishedAt time of its last publication
 * @param quality its solution quality
 */
public record PlannedDomain(String name, long round, Instant publishedAt, SolutionQuality quality) {}
