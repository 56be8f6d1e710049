package dev.spur.policies.gavel;

import dev.spur.policies.gavel.ShareProgram.Shares;
import dev.spur.policies.support.IsolatedShare;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;

/** Objective of the time shares. Objectives solved by bisection break ties by total speed (not in the paper). */
public enum ShareObjective {
    /** Maximizes the minimum of k * speed / (weight * speed with equal shares): weighted least attained service. */
    MAX_MIN("max-min") {
        @Override
        Optional<Shares> shares(JobSpeeds speed, IsolatedShare isolatedShare, boolean prefersSpeed) {
            double tie = prefersSpeed ? TIE / Math.max(1, speed.jobs().size()) : 0;
            ShareProgram shares = new ShareProgram(speed, tie);
            int lowest = shares.program().variable(0, Double.POSITIVE_INFINITY, 1);
            for (int j : speed.jobs()) {
                int row = shares.program().atLeast(0);
                double weight = speed.view().job(j).spec().weight();
                shares.addSpeed(row, j, speed.slots(j) / (weight * speed.equal(j)));
                shares.program().add(row, lowest, -1);
            }
            return shares.solve();
        }
    },
    /**
     * Minimizes the maximum finish-time fairness: completion time with these shares divided by that on a private share
     * of the cluster.
     */
    FINISH_TIME_FAIRNESS("finish-time-fairness") {
        @Override
        Optional<Shares> shares(JobSpeeds speed, IsolatedShare isolatedShare, boolean prefersSpeed) {
            return lowest(speed, RATIO_LOW, RATIO_HIGH, ratio -> j -> neededFor(speed, isolatedShare, j, ratio));
        }
    },
    /** Minimizes the makespan. */
    MAKESPAN("makespan") {
        @Override
        Optional<Shares> shares(JobSpeeds speed, IsolatedShare isolatedShare, boolean prefersSpeed) {
            return lowest(speed, SECONDS_LOW, SECONDS_HIGH, seconds -> j -> remainingSamples(speed, j) / seconds);
        }
    },
    /** Maximizes the sum of speeds. */
    TOTAL_THROUGHPUT("throughput") {
        @Override
        Optional<Shares> shares(JobSpeeds speed, IsolatedShare isolatedShare, boolean prefersSpeed) {
            return TotalThroughput.shares(speed);
        }
    };

    private static final double TIE = 1e-4;
    private static final double RATIO_LOW = 1e-3;
    private static final double RATIO_HIGH = 1e6;
    private static final double SECONDS_LOW = 1;
    private static final double SECONDS_HIGH = 1e12;

    private final String label;

    ShareObjective(String label) {
        this.label = label;
    }

    /** Returns the label used in policy names. */
    public String label() {
        return label;
    }

    /** Bisection ends when the interval's ends differ by at most this factor. */
    private static final double PRECISION = 1.01;

    /**
     * Returns the best shares; empty if no job runs anywhere.
     *
     * @param prefersSpeed true if {@link #MAX_MIN} breaks ties by total speed (not in the paper)
     */
    abstract Optional<Shares> shares(JobSpeeds speed, IsolatedShare isolatedShare, boolean prefersSpeed);

    private static double remainingSamples(JobSpeeds speed, int j) {
        return speed.view().job(j).remainingSamples();
    }

    /**
     * Returns the speed that job {@code j} needs for a finish-time fairness of {@code ratio}; infinite if it is too
     * late. It solves (age + R / speed) / (iso + R / isolated) = ratio for the speed.
     */
    private static double neededFor(JobSpeeds speed, IsolatedShare isolatedShare, int j, double ratio) {
        double age = speed.view().now() - speed.view().job(j).arrival();
        double alone = isolatedShare.seconds(j) + remainingSamples(speed, j) / speed.isolatedSpeed(j);
        double time = ratio * alone - age;
        return time <= 0 ? Double.POSITIVE_INFINITY : remainingSamples(speed, j) / time;
    }

    /** Speeds that all jobs need for a given value of a minimized objective. */
    private interface Needs {
        IntToDoubleFunction at(double value);
    }

    /**
     * Returns the shares at approximately the lowest value between {@code low} and {@code high} at which all needs are
     * feasible, by bisection.
     */
    private static Optional<Shares> lowest(JobSpeeds speed, double low, double high, Needs needs) {
        Optional<Shares> best = meeting(speed, needs.at(high));
        double lower = low;
        double upper = high;
        while (best.isPresent() && upper > lower * PRECISION) {
            double middle = Math.sqrt(lower * upper);
            Optional<Shares> found = meeting(speed, needs.at(middle));
            if (found.isPresent()) {
                best = found;
                upper = middle;
            } else {
                lower = middle;
            }
        }
        return best;
    }

    /** Returns shares with at least the needed speeds; empty if infeasible. */
    private static Optional<Shares> meeting(JobSpeeds speed, IntToDoubleFunction needed) {
        ShareProgram shares = new ShareProgram(speed, 1);
        for (int j : speed.jobs()) {
            double need = needed.applyAsDouble(j) / speed.equal(j);
            if (Double.isInfinite(need)) {
                return Optional.empty();
            }
            shares.addSpeed(shares.program().atLeast(need), j, 1 / speed.equal(j));
        }
        return shares.solve();
    }
}
