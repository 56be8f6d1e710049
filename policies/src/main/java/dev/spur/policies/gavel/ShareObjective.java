package dev.spur.policies.gavel;

import dev.spur.policies.gavel.ShareProgram.Shares;
import dev.spur.policies.support.IsolatedShare;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;

/**
 * What the shares of time are to be best at. By bisection, of equally good shares those with more speed in all are
 * taken (ours).
 */
public enum ShareObjective {
    /**
     * The lowest k * speed / (weight * speed with equal shares) as high as possible: least attained service, weighted.
     */
    MAX_MIN("max-min") {
        @Override
        Optional<Shares> shares(JobSpeeds speed, IsolatedShare isolation, boolean prefersSpeed) {
            double tie = prefersSpeed ? TIE / Math.max(1, speed.jobs().size()) : 0;
            ShareProgram shares = new ShareProgram(speed, tie);
            int lowest = shares.program().variable(0, Double.POSITIVE_INFINITY, 1);
            for (int j : speed.jobs()) {
                int row = shares.program().atLeast(0);
                double weight = speed.snapshot().job(j).spec().effectiveWeight();
                shares.addSpeed(row, j, speed.slots(j) / (weight * speed.equal(j)));
                shares.program().add(row, lowest, -1);
            }
            return shares.solve();
        }
    },
    /**
     * The largest finish-time fairness as low as possible: time with these shares / time with a private part of the
     * cluster.
     */
    FINISH_TIME_FAIRNESS("finish-time-fairness") {
        @Override
        Optional<Shares> shares(JobSpeeds speed, IsolatedShare isolation, boolean prefersSpeed) {
            return lowest(speed, RATIO_LOW, RATIO_HIGH, ratio -> j -> neededFor(speed, isolation, j, ratio));
        }
    },
    /** All jobs done as early as possible. */
    MAKESPAN("makespan") {
        @Override
        Optional<Shares> shares(JobSpeeds speed, IsolatedShare isolation, boolean prefersSpeed) {
            return lowest(speed, SECONDS_LOW, SECONDS_HIGH, seconds -> j -> left(speed, j) / seconds);
        }
    },
    /** The highest sum of speeds. */
    TOTAL_THROUGHPUT("throughput") {
        @Override
        Optional<Shares> shares(JobSpeeds speed, IsolatedShare isolation, boolean prefersSpeed) {
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

    /** Its name, as it is part of the names of policies. */
    public String label() {
        return label;
    }

    /** The bisection ends when the ends of its interval differ by no more than this factor. */
    private static final double PRECISION = 1.01;

    /**
     * The best shares; empty if no job runs anywhere.
     *
     * @param prefersSpeed true if {@link #MAX_MIN} takes, of equally good shares, those with more speed in all (ours)
     */
    abstract Optional<Shares> shares(JobSpeeds speed, IsolatedShare isolation, boolean prefersSpeed);

    private static double left(JobSpeeds speed, int j) {
        return speed.snapshot().job(j).remainingSamples();
    }

    /**
     * Speed that job {@code j} needs for a finish-time fairness of {@code ratio}; infinite if it is too late for that.
     * (age + R / speed) / (iso + R / isolated) = ratio, solved for the speed.
     */
    private static double neededFor(JobSpeeds speed, IsolatedShare isolation, int j, double ratio) {
        double age = speed.snapshot().now() - speed.snapshot().job(j).arrival();
        double alone = isolation.seconds(j) + left(speed, j) / speed.isolated(j);
        double time = ratio * alone - age;
        return time <= 0 ? Double.POSITIVE_INFINITY : left(speed, j) / time;
    }

    /** Speeds that all jobs must have for a value of what is to be low. */
    private interface Needs {
        IntToDoubleFunction at(double value);
    }

    /**
     * The shares at about the lowest value from {@code low} to {@code high} for which all needs can be met; by
     * bisection.
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

    /** Shares with at least the speeds needed; empty if there are none. */
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
