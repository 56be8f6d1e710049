package dev.spur.simulator.trace.gavel;

import dev.spur.simulator.trace.parsing.DelimitedTable;
import dev.spur.simulator.trace.parsing.Row;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Batch size schedules of jobs by epoch. {@code static} jobs keep their batch size.
 *
 * <p>{@code accordion} jobs keep their batch size in the first 30 % of their epochs and in the critical epochs of their
 * model. In all other epochs they use the largest one (Agarwal et al., Accordion, MLSys '21).
 *
 * <p>{@code gns} jobs multiply their batch size as the gradient noise scale grew in trial runs (McCandlish et al.,
 * 2018).
 *
 * <p>Both are as in the simulator of Shockwave (Zheng et al., NSDI '23), whose trial runs are in
 * {@code noise-schedule.csv}.
 */
final class BatchSchedule {
    private static final Map<String, Integer> LARGEST =
            Map.of("ResNet-18", 256, "ResNet-50", 128, "Transformer", 128, "LM", 80, "Recommendation", 8192);
    private static final double CALM_PART = 0.3;
    private static final List<Row> NOISE = noise();

    private BatchSchedule() {}

    /**
     * Returns the regimes of a job of {@code epochs} epochs, the first one from epoch 0. An unknown mode counts as
     * static.
     */
    static List<Regime> of(String mode, JobType type, int slots, int epochs) {
        return switch (mode) {
            case "accordion" -> accordion(type, epochs);
            case "gns" -> byNoise(type, slots);
            default -> List.of(new Regime(0, type.batch()));
        };
    }

    private static List<Regime> accordion(JobType type, int epochs) {
        int largest =
                type.model().equals("Transformer") ? type.batch() : LARGEST.getOrDefault(type.model(), type.batch());
        List<Regime> regimes = new ArrayList<>();
        int batch = 0;
        for (int epoch = 0; epoch < epochs; epoch++) {
            boolean calm = epoch <= CALM_PART * epochs || isCritical(type, epoch);
            int next = calm ? type.batch() : largest;
            if (next != batch) {
                regimes.add(new Regime(epoch, next));
                batch = next;
            }
        }
        return List.copyOf(regimes);
    }

    private static boolean isCritical(JobType type, int epoch) {
        return switch (type.model()) {
            case "ResNet-18" ->
                epoch < (type.batch() == 256 ? 20 : 10) || isWithin(epoch, 150, 10) || isWithin(epoch, 250, 10);
            case "ResNet-50" -> epoch % 30 < 10;
            case "LM" -> epoch < 10;
            case "Recommendation" ->
                epoch < (type.batch() <= 1024 ? 30 : type.batch() == 2048 ? 40 : 10)
                        || isWithin(epoch, 60, 10)
                        || isWithin(epoch, 80, 10);
            default -> true;
        };
    }

    private static boolean isWithin(int epoch, int first, int length) {
        return epoch >= first && epoch < first + length;
    }

    private static List<Regime> byNoise(JobType type, int slots) {
        List<Regime> regimes = new ArrayList<>(List.of(new Regime(0, type.batch())));
        int largest = LARGEST.getOrDefault(type.model(), type.batch());
        for (Row row : NOISE) {
            if (row.text("model").orElseThrow().equals(type.model())
                    && row.count("batch").orElseThrow() == type.batch()
                    && row.count("slots").orElseThrow() == slots) {
                int batch = Math.min(largest, type.batch() * row.count("factor").orElseThrow());
                regimes.add(new Regime(row.count("epoch").orElseThrow(), batch));
            }
        }
        return List.copyOf(regimes);
    }

    private static List<Row> noise() {
        String name = "noise-schedule.csv";
        try (Reader reader = new InputStreamReader(
                Objects.requireNonNull(BatchSchedule.class.getResourceAsStream(name), name), StandardCharsets.UTF_8)) {
            return DelimitedTable.read(reader, name, "model", "batch", "slots", "epoch", "factor");
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }
}
