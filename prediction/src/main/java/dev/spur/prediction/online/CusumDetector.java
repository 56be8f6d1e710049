package dev.spur.prediction.online;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A CUSUM change detector. It sums the deviations of reports from their predictions, less an allowance for noise, and
 * detects a change when the sum exceeds a limit. Source: Page, Continuous inspection schemes, Biometrika 1954.
 *
 * @param residuals residuals since the last change
 * @param drift the detected change; null if there is none
 */
record CusumDetector(List<LogResidual> residuals, @Nullable Drift drift) {
    /** Allowance for the noise of each report, as a difference of logarithms. */
    private static final double ALLOWANCE = 0.08;
    /** Sum above which a change is detected: two reports that are 20 % too slow. */
    private static final double LIMIT = 0.2;
    /** Maximum contribution of one report, so that a single outlier never triggers a detection. */
    private static final double MAX_STEP = 0.15;

    static CusumDetector after(List<LogResidual> before, LogResidual residual, int maxResiduals) {
        List<LogResidual> all = new ArrayList<>(before);
        all.add(residual);
        double slower = 0;
        double faster = 0;
        for (LogResidual one : all) {
            slower = Math.max(0, slower + Math.min(MAX_STEP, one.log() - ALLOWANCE));
            faster = Math.max(0, faster + Math.min(MAX_STEP, -one.log() - ALLOWANCE));
        }
        if (slower > LIMIT || faster > LIMIT) {
            return new CusumDetector(List.of(), DriftAttribution.of(all, slower > LIMIT));
        }
        return new CusumDetector(all.subList(Math.max(0, all.size() - maxResiduals), all.size()), null);
    }
}
