package dev.spur.agent.inventory;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Utilization, memory and power of GPUs from {@code nvidia-smi}. Values that a GPU does not report are null. Slices
 * (MIG) are omitted, because the tool reports utilization only for whole GPUs.
 */
public final class GpuUsage implements Supplier<Map<String, GpuUsage.DeviceUsage>> {
    private static final String QUERY = "--query-gpu=uuid,utilization.gpu,memory.used,power.draw";
    private static final String FORMAT = "--format=csv,noheader,nounits";
    private static final int COLUMNS = 4;
    private static final double PERCENT = 100;
    private static final long PERIOD_NANOS = 15_000_000_000L;

    private final String smi;
    private final LongSupplier nanos;
    private Map<String, DeviceUsage> last = Map.of();
    private long nextNanos;

    /**
     * Use of a GPU.
     *
     * @param utilization share of the last sample period in which a kernel ran, from 0 to 1
     * @param memoryUsedMiB memory in use, MiB
     * @param powerWatts power, W
     */
    public record DeviceUsage(
            @Nullable Double utilization,
            @Nullable Double memoryUsedMiB,
            @Nullable Double powerWatts) {
        /** Use that is not known. */
        public static final DeviceUsage UNKNOWN = new DeviceUsage(null, null, null);
    }

    /** Creates the source for the GPUs of this machine. */
    public GpuUsage() {
        this("nvidia-smi", System::nanoTime);
    }

    GpuUsage(String smi, LongSupplier nanos) {
        this.smi = smi;
        this.nanos = nanos;
        this.nextNanos = nanos.getAsLong();
    }

    /**
     * Returns the use of each GPU by UUID. It queries at most every 15 s and returns the previous result in between.
     * The result is empty where the query fails.
     */
    @Override
    public Map<String, DeviceUsage> get() {
        if (nanos.getAsLong() - nextNanos >= 0) {
            last = query();
            nextNanos = nanos.getAsLong() + PERIOD_NANOS;
        }
        return last;
    }

    private Map<String, DeviceUsage> query() {
        Optional<Tool.Output> output;
        try {
            output = Tool.run(List.of(smi, QUERY, FORMAT));
        } catch (IOException missing) {
            return Map.of();
        }
        Map<String, DeviceUsage> usage = new HashMap<>();
        output.filter(result -> result.status() == 0)
                .ifPresent(result -> result.text()
                        .lines()
                        .map(line -> line.split(",", -1))
                        .filter(cells -> cells.length == COLUMNS)
                        .forEach(cells -> usage.put(cells[0].strip(), usage(cells))));
        return Map.copyOf(usage);
    }

    private static DeviceUsage usage(String[] cells) {
        Double percent = number(cells[1]);
        return new DeviceUsage(
                percent == null ? null : Double.valueOf(Math.min(1, percent / PERCENT)),
                number(cells[2]),
                number(cells[3]));
    }

    /** Returns a number that is at least 0; null for other texts, such as {@code [N/A]} or {@code [Unknown Error]}. */
    private static @Nullable Double number(String cell) {
        String text = cell.strip();
        return text.matches("\\d{1,9}(\\.\\d{1,9})?") ? Double.valueOf(text) : null;
    }
}
