package dev.spur.prediction.speed;

import java.util.ArrayList;
import java.util.List;

/** Selects a representative subset of observations, because the time of a fit grows with the cube of their number. */
public final class Thinning {
    private Thinning() {}

    /**
     * Returns at most {@code max} of {@code observations}, in their order: first the one on the minimum number of
     * slots, then repeatedly the one whose shape differs most from those selected so far.
     */
    public static List<StepObservation> of(List<StepObservation> observations, int max) {
        int size = observations.size();
        if (size <= max) {
            return observations;
        }
        Kernel kernel = new Kernel(1, 1);
        double[] nearest = new double[size];
        boolean[] picked = new boolean[size];
        int next = 0;
        for (int i = 1; i < size; i++) {
            if (slots(observations, i) < slots(observations, next)) {
                next = i;
            }
        }
        for (int count = 0; count < max; count++) {
            picked[next] = true;
            StepShape shape = observations.get(next).shape();
            int farthest = -1;
            for (int i = 0; i < size; i++) {
                nearest[i] = Math.max(
                        nearest[i], kernel.between(shape, observations.get(i).shape()));
                if (!picked[i] && (farthest < 0 || nearest[i] < nearest[farthest])) {
                    farthest = i;
                }
            }
            next = farthest;
        }
        List<StepObservation> retained = new ArrayList<>(max);
        for (int i = 0; i < size; i++) {
            if (picked[i]) {
                retained.add(observations.get(i));
            }
        }
        return retained;
    }

    private static int slots(List<StepObservation> observations, int i) {
        return observations.get(i).shape().slots();
    }
}
