package dev.spur.service.plans;

/**
 * Entry of a plan that was not published, because the job or its nodes changed after the snapshot.
 *
 * @param why reason for users
 */
public record DroppedEntry(String jobId, String why) {}
