package dev.spur.solver.aggregation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The shards of some jobs, those of one job that take equally long as one kind. Jobs and kinds have numbers from 0 on.
 */
final class ShardClasses {
    private final List<AggregationDemand> demands;
    private final List<Kind> kinds = new ArrayList<>();
    /** By job, the number of its first kind; those of a job follow each other. */
    private final int[] first;

    /** Equal shards of a job, by their numbers. */
    private record Kind(int job, double seconds, List<Integer> shards) {}

    ShardClasses(List<AggregationDemand> demands) {
        this.demands = List.copyOf(demands);
        this.first = new int[demands.size() + 1];
        for (int job = 0; job < demands.size(); job++) {
            first[job] = kinds.size();
            Map<Double, List<Integer>> equal = new LinkedHashMap<>();
            List<Double> seconds = demands.get(job).shardSeconds();
            for (int s = 0; s < seconds.size(); s++) {
                equal.computeIfAbsent(seconds.get(s), each -> new ArrayList<>()).add(s);
            }
            int of = job;
            equal.forEach((each, shards) -> kinds.add(new Kind(of, each, shards)));
        }
        first[demands.size()] = kinds.size();
    }

    int jobs() {
        return demands.size();
    }

    AggregationDemand demand(int job) {
        return demands.get(job);
    }

    double step(int job) {
        return demands.get(job).stepSeconds();
    }

    int count() {
        return kinds.size();
    }

    /** The first kind of {@code job}; that of the next one is one beyond its last. */
    int first(int job) {
        return first[job];
    }

    int job(int kind) {
        return kinds.get(kind).job();
    }

    /** Numbers of the shards of a kind among those of its job. */
    List<Integer> shards(int kind) {
        return kinds.get(kind).shards();
    }

    /** Share of its time that a shard of a kind keeps a whole slot busy. */
    double load(int kind) {
        return kinds.get(kind).seconds() / step(job(kind));
    }

    /** Seconds of a whole slot in each step of {@code job} for {@code shards} of each kind. */
    double seconds(int job, int[] shards) {
        double seconds = 0;
        for (int kind = first[job]; kind < first[job + 1]; kind++) {
            seconds += shards[kind] * kinds.get(kind).seconds();
        }
        return seconds;
    }
}
