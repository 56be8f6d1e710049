package dev.spur.policies.gavel;

import dev.spur.policies.support.NodePartition;
import dev.spur.solver.solve.LinearProgram;
import dev.spur.solver.solve.LinearSolution;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Linear program over time shares: a job runs in at most one partition at a time, and no partition exceeds its slots.
 *
 * <pre>
 * X >= 0;  sum over t of X(j, t) <= 1;
 * sum over j of k(j) * X(j, t) <= K(t);
 * speed of j = sum over t of thr(j, t) * X(j, t)
 * </pre>
 */
final class ShareProgram {
    private final JobSpeeds speed;
    private final LinearProgram program = new LinearProgram();
    private final Map<String, Integer> shares = new HashMap<>();

    /**
     * Creates the program.
     *
     * @param speedCoefficient objective coefficient of the speed of a job, normalized by its speed with equal shares
     */
    ShareProgram(JobSpeeds speed, double speedCoefficient) {
        this.speed = speed;
        Map<NodePartition, Integer> rows = new HashMap<>();
        for (NodePartition partition : speed.view().partitions()) {
            rows.put(partition, program.atMost(partition.slots()));
        }
        for (int j : speed.jobs()) {
            int all = program.atMost(1);
            for (NodePartition partition : speed.view().partitions()) {
                if (speed.on(j, partition) > 0) {
                    double worth = speedCoefficient * speed.on(j, partition) / speed.equal(j);
                    int share = program.variable(0, 1, worth);
                    shares.put(key(j, partition), share);
                    program.add(all, share, 1);
                    program.add(rows.getOrDefault(partition, 0), share, speed.slots(j));
                }
            }
        }
    }

    private static String key(int j, NodePartition partition) {
        return j + "/" + partition.index();
    }

    LinearProgram program() {
        return program;
    }

    /** Adds {@code factor} times the speed of job {@code j} to {@code row}. */
    void addSpeed(int row, int j, double factor) {
        for (NodePartition partition : speed.view().partitions()) {
            Integer share = shares.get(key(j, partition));
            if (share != null) {
                program.add(row, share, factor * speed.on(j, partition));
            }
        }
    }

    /** Returns the optimal shares; empty if infeasible. */
    Optional<Shares> solve() {
        Optional<LinearSolution> solution =
                program.maximize(speed.view().problem().settings().budget(), 0);
        return solution.map(foundSolution -> {
            Shares result = new Shares();
            shares.forEach((key, variable) -> result.put(key, foundSolution.value(variable)));
            return result;
        });
    }

    /** Time shares by job and partition. */
    static final class Shares {
        private final Map<String, Double> values = new HashMap<>();

        private void put(String key, double value) {
            values.put(key, Math.max(0, value));
        }

        void put(int j, NodePartition partition, double value) {
            put(key(j, partition), value);
        }

        /** Returns the share of time of job {@code j} in {@code partition}, from 0 to 1. */
        double of(int j, NodePartition partition) {
            return values.getOrDefault(key(j, partition), 0.0);
        }
    }
}
