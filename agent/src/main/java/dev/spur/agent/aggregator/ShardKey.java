package dev.spur.agent.aggregator;

/** A shard of one generation of a job. */
record ShardKey(String job, long generation, int shard) {}
