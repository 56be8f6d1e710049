package dev.spur.model.job;

/**
 * The batch sizes that given devices share equally with the minimum number of passes that their memory requires. Rounds
 * query them so often that the class stores only numbers.
 */
public final class FeasibleBatchSizes {
    private final int min;
    private final int max;
    private final long unit;
    private final long fullPass;

    /**
     * @param unit samples of the smallest pass: slots times the multiple of the per-device batch
     * @param fullPass samples of a pass that fills the memory, a multiple of {@code unit}; 0 if the smallest pass does
     *     not fit
     */
    FeasibleBatchSizes(int min, int max, long unit, long fullPass) {
        this.min = min;
        this.max = max;
        this.unit = unit;
        this.fullPass = fullPass;
    }

    /** Returns the largest size up to {@code batch}; 0 if there is none. */
    public int atMost(int batch) {
        int largest = Math.min(batch, max);
        if (fullPass == 0 || largest < min) {
            return 0;
        }
        long passes = passes(largest);
        long found = passes == 1
                ? largest - largest % unit
                : Math.max(largest - largest % (passes * unit), (passes - 1) * fullPass);
        return found >= min ? (int) found : 0;
    }

    /** Returns the smallest size from {@code batch} on; 0 if there is none. */
    public int atLeast(int batch) {
        int smallest = Math.max(batch, min);
        if (fullPass == 0) {
            return 0;
        }
        long step = passes(smallest) * unit;
        long found = (smallest + step - 1) / step * step;
        return found <= max ? (int) found : 0;
    }

    private long passes(int batch) {
        return batch <= fullPass ? 1 : (batch + fullPass - 1) / fullPass;
    }
}
