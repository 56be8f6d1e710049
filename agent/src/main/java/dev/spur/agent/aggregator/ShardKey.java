package dev.spur.agent.aggregator;

/** Key of a shard of one generation of a job. */
record ShardKey(String job, long generation, int shard) {}
