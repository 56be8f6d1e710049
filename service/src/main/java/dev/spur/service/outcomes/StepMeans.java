package dev.spur.service.outcomes;

/** Sums of values over the steps of a time range. Each value holds from one time to another. */
final class StepMeans {
    private final double from;
    private final double until;
    private final double step;
    /** Integral over each step, without the values that hold for the whole step. */
    private final double[] parts;
    /** Changes of the sum of the values that hold for whole steps. */
    private final double[] changes;

    /** @param step length of a step; the last step may be shorter */
    StepMeans(double from, double until, double step) {
        this.from = from;
        this.until = until;
        this.step = step;
        int steps = (int) Math.ceil((until - from) / step);
        this.parts = new double[steps];
        this.changes = new double[steps + 1];
    }

    /** Adds a value that holds from {@code begin} to {@code end}. Times outside of the range do not count. */
    void add(double begin, double end, double value) {
        double first = Math.max(begin, from);
        double last = Math.min(end, until);
        if (first >= last) {
            return;
        }
        int head = step(first);
        int tail = step(last);
        if (head == tail) {
            parts[head] += (last - first) * value;
        } else {
            parts[head] += (endOf(head) - first) * value;
            parts[tail] += (last - (from + tail * step)) * value;
            changes[head + 1] += value;
            changes[tail] -= value;
        }
    }

    private int step(double time) {
        return Math.min(parts.length - 1, (int) ((time - from) / step));
    }

    private double endOf(int index) {
        return Math.min(until, from + (index + 1) * step);
    }

    /** Returns the mean of the sum over each step. */
    double[] means() {
        double[] means = new double[parts.length];
        double whole = 0;
        for (int i = 0; i < means.length; i++) {
            whole += changes[i];
            means[i] = whole + parts[i] / (endOf(i) - (from + i * step));
        }
        return means;
    }
}
