package dev.spur.model.performance;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.spur.model.Checks;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Progress per sample at a batch size, relative to the initial batch size. It is known from a gradient noise scale or
 * from a table. While it is unknown, a job keeps its initial batch size.
 *
 * @param noiseScale gradient noise scale in samples, at least 0; null if unknown
 * @param table known values, ascending by batch size; used if there is no noise scale
 */
public record StatisticalEfficiency(@Nullable Double noiseScale, List<EfficiencyPoint> table) {
    /** An efficiency that is neither stated nor measured. */
    public static final StatisticalEfficiency UNKNOWN = new StatisticalEfficiency(null, List.of());

    /** An efficiency of 1 at every batch size, as systems assume that ignore statistical efficiency. */
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

    /** Returns the efficiency of a gradient noise scale, in samples. */
    public static StatisticalEfficiency ofNoiseScale(double samples) {
        return new StatisticalEfficiency(samples, List.of());
    }

    /** Returns true if a noise scale or a table is known. */
    @JsonIgnore
    public boolean isKnown() {
        return noiseScale != null || !table.isEmpty();
    }

    /**
     * Returns the efficiency at {@code batch}, in (0, 1]; with a noise scale, it is 1 up to {@code initial}. By noise
     * scale phi: (phi + initial) / (phi + batch). Source: Qiao et al., Pollux, OSDI '21. By table: the reciprocal, that
     * is, samples per unit of progress, is linear between two entries and constant beyond the ends.
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

    private static double between(EfficiencyPoint lowPoint, EfficiencyPoint highPoint, int batch) {
        if (batch <= lowPoint.batchSize()) {
            return 1 / lowPoint.efficiency();
        }
        double part = (double) (batch - lowPoint.batchSize()) / (highPoint.batchSize() - lowPoint.batchSize());
        return (1 - part) / lowPoint.efficiency() + part / highPoint.efficiency();
    }
}
