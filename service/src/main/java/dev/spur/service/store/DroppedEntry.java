package dev.spur.service.store;

/**
 * An entry of a plan that was not published because newer state had overtaken it.
 *
 * @param jobId the job
 * @param why what had happened, for people
 */
public record DroppedEntry(String jobId, String why) {}
