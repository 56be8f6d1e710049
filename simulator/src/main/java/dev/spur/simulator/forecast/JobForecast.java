package dev.spur.simulator.forecast;

import org.jspecify.annotations.Nullable;

/**
 * What is expected of a job, of training or of preparation.
 *
 * @param jobId the job
 * @param start when it gets slots; null for a job that runs by the decision that the forecast began with
 * @param end when it is done
 */
public record JobForecast(String jobId, @Nullable Band start, Band end) {}
