package dev.spur.policies.gavel;

import dev.spur.policies.support.NodePartition;
import dev.spur.solver.solve.LinearProgram;
import dev.spur.solver.solve.LinearSolution;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A linear program over shares of time: no job is in more than one lane at a time, and no lane gives more slots than it
 * has.
 *
 * <pre>
 * X >= 0;  sum over t of X(j, t) <= 1;  sum over j of k(j) * X(j, t) <= K(t);  speed of j = sum over t of thr(j, t) * X(j, t)
 * </pre>
 */
final class ShareProgram {
    private final JobSpeeds speed;
    private final LinearProgram program = new LinearProgram();
    private final Map<String, Integer> shares = new HashMap<>();

    /**
     * @param worthOfSpeed what a normalized speed of 1 of a job adds to the objective; normalized is by its equal share
     */
    ShareProgram(JobSpeeds speed, double worthOfSpeed) {
        this.speed = speed;
        Map<NodePartition, Integer> rows = new HashMap<>();
        for (NodePartition lane : speed.snapshot().lanes()) {
            rows.put(lane, program.atMost(lane.slots()));
        }
        for (int j : speed.jobs()) {
            int all = program.atMost(1);
            for (NodePartition lane : speed.snapshot().lanes()) {
                if (speed.on(j, lane) > 0) {
                    double worth = worthOfSpeed * speed.on(j, lane) / speed.equal(j);
                    int share = program.variable(0, 1, worth);
                    shares.put(key(j, lane), share);
                    program.add(all, share, 1);
                    program.add(rows.getOrDefault(lane, 0), share, speed.slots(j));
                }
            }
        }
    }

    private static String key(int j, NodePartition lane) {
        return j + "/" + lane.index();
    }

    LinearProgram program() {
        return program;
    }

    /** Adds {@code factor} times the speed of job {@code j} to {@code row}. */
    void addSpeed(int row, int j, double factor) {
        for (NodePartition lane : speed.snapshot().lanes()) {
            Integer share = shares.get(key(j, lane));
            if (share != null) {
                program.add(row, share, factor * speed.on(j, lane));
            }
        }
    }

    /** The best shares; empty if there are none. */
    Optional<Shares> solve() {
        Optional<LinearSolution> solution =
                program.maximize(speed.snapshot().problem().settings().budget(), 0);
        return solution.map(found -> {
            Shares result = new Shares();
            shares.forEach((key, variable) -> result.put(key, found.value(variable)));
            return result;
        });
    }

    /** Shares of time by job and lane. */
    static final class Shares {
        private final Map<String, Double> values = new HashMap<>();

        private void put(String key, double value) {
            values.put(key, Math.max(0, value));
        }

        void put(int j, NodePartition lane, double value) {
            put(key(j, lane), value);
        }

        /** Share of the time of job {@code j} in {@code lane}, from 0 to 1. */
        double of(int j, NodePartition lane) {
            return values.getOrDefault(key(j, lane), 0.0);
        }
    }
}
