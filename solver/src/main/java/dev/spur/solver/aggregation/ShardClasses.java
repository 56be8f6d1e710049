package dev.spur.solver.aggregation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Classes of interchangeable shards: those of one job with equal duration. Jobs and classes are numbered from 0. */
final class ShardClasses {
    private final List<AggregationDemand> demands;
    private final List<Kind> kinds = new ArrayList<>();
    /** By job, the number of its first class; the classes of a job are consecutive. */
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

    /** Returns the first class of {@code job}; the classes of the job end before the first class of the next one. */
    int first(int job) {
        return first[job];
    }

    int job(int kind) {
        return kinds.get(kind).job();
    }

    /** Returns the numbers of the shards of a class among those of its job. */
    List<Integer> shards(int kind) {
        return kinds.get(kind).shards();
    }

    /** Returns the fraction of a whole slot that one shard of a class keeps busy. */
    double load(int kind) {
        return kinds.get(kind).seconds() / step(job(kind));
    }

    /** Returns the seconds of a whole slot in each step of {@code job} for {@code shards} of each class. */
    double seconds(int job, int[] shards) {
        double seconds = 0;
        for (int kind = first[job]; kind < first[job + 1]; kind++) {
            seconds += shards[kind] * kinds.get(kind).seconds();
        }
        return seconds;
    }
}
