package dev.spur.service.jobs;

/**
 * Place of a job in an array of jobs.
 *
 * @param id id of the array
 * @param index index in the array
 */
record ArrayMember(String id, int index) {}
