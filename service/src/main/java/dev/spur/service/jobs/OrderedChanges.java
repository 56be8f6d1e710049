package dev.spur.service.jobs;

/**
 * Changes that plans ordered for a generation.
 *
 * @param rescales number of changes of its ranks
 * @param migrates true if its processes started while an older generation trained
 * @param ageSeconds time since its first allocation, s
 */
public record OrderedChanges(int rescales, boolean migrates, double ageSeconds) {}
