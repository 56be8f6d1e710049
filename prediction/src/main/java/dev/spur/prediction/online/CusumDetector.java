package dev.spur.prediction.online;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Notices lasting changes: sums up how far reports are from what was expected, less what noise explains, and speaks up
 * when the sum is too large. Source: Page, Continuous inspection schemes, Biometrika 1954.
 *
 * @param surprises reports that count from now on
 * @param drift the change that was noticed; null if there is none
 */
record CusumDetector(List<LogResidual> surprises, @Nullable Drift drift) {
    /** What noise explains of each report, as a difference of logarithms. */
    private static final double ALLOWANCE = 0.08;
    /** Sum beyond which a change is certain: two reports that are a fifth too slow. */
    private static final double LIMIT = 0.2;
    /** Most that one report adds, so that a single outlier never rings. */
    private static final double MOST = 0.15;

    static CusumDetector after(List<LogResidual> before, LogResidual surprise, int most) {
        List<LogResidual> all = new ArrayList<>(before);
        all.add(surprise);
        double slower = 0;
        double faster = 0;
        for (LogResidual one : all) {
            slower = Math.max(0, slower + Math.min(MOST, one.log() - ALLOWANCE));
            faster = Math.max(0, faster + Math.min(MOST, -one.log() - ALLOWANCE));
        }
        if (slower > LIMIT || faster > LIMIT) {
            return new CusumDetector(List.of(), DriftAttribution.of(all, slower > LIMIT));
        }
        return new CusumDetector(all.subList(Math.max(0, all.size() - most), all.size()), null);
    }
}
