package dev.spur.model.performance;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.spur.model.Checks;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Progress per sample at a batch size, relative to the initial batch size. Known from a noise scale or from a table.
 * While it is unknown, a job keeps its initial batch size.
 *
 * @param noiseScale gradient noise scale in samples, at least 0; null if unknown
 * @param table known values, ascending by batch size; used if there is no noise scale
 */
public record StatisticalEfficiency(@Nullable Double noiseScale, List<EfficiencyPoint> table) {
    /** Neither stated nor measured. */
    public static final StatisticalEfficiency UNKNOWN = new StatisticalEfficiency(null, List.of());

    /** Every sample counts the same in every batch, as systems assume that ignore statistical efficiency. */
    public static final StatisticalEfficiency LEVEL =
            new StatisticalEfficiency(null, List.of(new EfficiencyPoint(1, 1)));

    public StatisticalEfficiency {
        if (noiseScale != null) {
            Checks.atLeast("noiseScale", noiseScale, 0);
        }
        table = Checks.copy(table).stream()
                .sorted(Comparator.comparingInt(EfficiencyPoint::batchSize))
                .toList();
        for (int i = 1; i < table.size(); i++) {
            Checks.require(
                    table.get(i).batchSize() > table.get(i - 1).batchSize(),
                    "batchSize %s appears twice in the efficiency table",
                    table.get(i).batchSize());
        }
    }

    /** Efficiency by gradient noise scale, in samples. */
    public static StatisticalEfficiency ofNoiseScale(double samples) {
        return new StatisticalEfficiency(samples, List.of());
    }

    /** True if a noise scale or a table is known. */
    @JsonIgnore
    public boolean isKnown() {
        return noiseScale != null || !table.isEmpty();
    }

    /**
     * Efficiency at {@code batch}, in (0, 1]; 1 at and below {@code initial} where the noise scale is known. By noise
     * scale phi: (phi + initial) / (phi + batch). Source: Qiao et al., Pollux, OSDI '21. By table: the reciprocal,
     * which is samples per unit of progress, runs straight between two entries and stays level beyond the ends.
     */
    public double at(int batch, int initial) {
        if (noiseScale != null) {
            return batch <= initial ? 1 : (noiseScale + initial) / (noiseScale + batch);
        }
        return table.isEmpty() ? 1 : 1 / costInTable(batch);
    }

    private double costInTable(int batch) {
        EfficiencyPoint below = table.get(0);
        for (EfficiencyPoint point : table) {
            if (point.batchSize() >= batch) {
                return between(below, point, batch);
            }
            below = point;
        }
        return 1 / below.efficiency();
    }

    private static double between(EfficiencyPoint low, EfficiencyPoint high, int batch) {
        if (batch <= low.batchSize()) {
            return 1 / low.efficiency();
        }
        double part = (double) (batch - low.batchSize()) / (high.batchSize() - low.batchSize());
        return (1 - part) / low.efficiency() + part / high.efficiency();
    }
}
