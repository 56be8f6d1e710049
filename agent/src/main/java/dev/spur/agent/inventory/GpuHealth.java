package dev.spur.agent.inventory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Health of GPUs from {@code nvidia-smi} and the kernel log. A GPU is unhealthy while it is missing or has a memory row
 * that could not be remapped. Uncorrected memory errors and serious driver errors (Xid) make it unhealthy for one
 * minute. The service quarantines it for longer, and for longer again at each repetition. A slice has the health of its
 * GPU, and is missing when it is no longer listed.
 */
public final class GpuHealth implements DeviceHealth {
    private static final String FORMAT = "--format=csv,noheader,nounits";
    private static final String ERRORS = "--query-gpu=uuid,pci.bus_id,ecc.errors.uncorrected.volatile.total";
    private static final String ROWS = "--query-remapped-rows=gpu_uuid,remapped_rows.failure";
    /** Exit statuses of nvidia-smi for a GPU that was not found or has fallen off the bus. */
    private static final Set<Integer> GONE = Set.of(6, 15);

    private static final Set<String> TRUE = Set.of("1", "Yes");
    private static final long EVERY_NANOS = 15_000_000_000L;
    private static final long INCIDENT_NANOS = 60_000_000_000L;

    private final List<Device> devices;
    private final List<String> gpus;
    private final Programs programs;
    private final LongSupplier nanos;
    private final Consumer<String> log;
    private final KernelLog kernel;
    private final Map<String, Long> errors = new HashMap<>();
    private final Map<String, String> buses = new HashMap<>();
    private final Map<String, Incident> incidents = new HashMap<>();
    private Optional<Map<String, String>> last = Optional.empty();
    private boolean queried;
    private long queriedAt;

    /**
     * External programs.
     *
     * @param smi path of nvidia-smi
     * @param dmesg program that prints the kernel log
     */
    record Programs(String smi, String dmesg) {}

    /** A transient failure of a device. */
    private record Incident(String why, long atNanos) {}

    /** Creates the health source for GPUs and slices whose ids are their UUIDs. */
    public GpuHealth(List<Device> devices, Consumer<String> log) {
        this(devices, new Programs("nvidia-smi", "dmesg"), System::nanoTime, log);
    }

    GpuHealth(List<Device> devices, Programs programs, LongSupplier nanos, Consumer<String> log) {
        this.devices = List.copyOf(devices);
        this.gpus = devices.stream().map(Device::gpu).distinct().toList();
        this.programs = programs;
        this.nanos = nanos;
        this.log = log;
        this.kernel = new KernelLog(programs.dmesg(), log);
    }

    /** Queries at most every 15 s and returns the previous result in between. */
    @Override
    public Optional<Map<String, String>> failures() {
        if (!queried || nanos.getAsLong() - queriedAt >= EVERY_NANOS) {
            Optional<Map<String, String>> now = query();
            if (now.isEmpty() && (!queried || last.isPresent())) {
                log.accept("nvidia-smi does not report the health of the GPUs");
            }
            last = now;
            queried = true;
            queriedAt = nanos.getAsLong();
        }
        return last;
    }

    private Optional<Map<String, String>> query() {
        try {
            Map<String, String> wrong = new TreeMap<>();
            Optional<List<String[]>> listed = lines(query(ERRORS), 3);
            List<String[]> lines = listed.isPresent() ? listed.get() : oneByOne(wrong);
            if (lines.isEmpty() && wrong.isEmpty()) {
                return Optional.empty();
            }
            lines.forEach(this::note);
            if (listed.isPresent()) {
                List<String> there = lines.stream().map(cells -> cells[0]).toList();
                gpus.stream()
                        .filter(gpu -> !there.contains(gpu))
                        .forEach(gone -> wrong.put(gone, "no longer listed by nvidia-smi"));
            }
            lines(query(ROWS), 2).orElse(List.of()).stream()
                    .filter(cells -> TRUE.contains(cells[1]))
                    .forEach(cells -> wrong.put(cells[0], "memory row remapping failed"));
            addIncidents(wrong);
            return Optional.of(byDevice(wrong));
        } catch (IOException missing) {
            return Optional.empty();
        }
    }

    private Map<String, String> byDevice(Map<String, String> wrong) throws IOException {
        Map<String, String> failures = new TreeMap<>();
        for (Device device : devices) {
            String why = wrong.get(device.gpu());
            if (why != null) {
                failures.put(device.id(), why);
            }
        }
        if (devices.stream().anyMatch(Device::isSlice)) {
            addLostSlices(failures);
        }
        return failures;
    }

    /** Reports missing slices. Repartitioning a GPU creates slices with new ids, even of equal size. */
    private void addLostSlices(Map<String, String> failures) throws IOException {
        Optional<Tool.Output> output =
                Tool.run(List.of(programs.smi(), Slices.QUERY)).filter(result -> result.status() == 0);
        if (output.isPresent()) {
            List<String> there = Slices.parse(output.get().text()).values().stream()
                    .flatMap(List::stream)
                    .map(slice -> slice.device().id())
                    .toList();
            devices.stream()
                    .filter(device -> device.isSlice() && !there.contains(device.visibleAs()))
                    .forEach(gone -> failures.putIfAbsent(gone.id(), "no longer listed by nvidia-smi"));
        }
    }

    private Optional<Tool.Output> query(String query, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(programs.smi(), query, FORMAT));
        command.addAll(List.of(more));
        return Tool.run(command);
    }

    /** Queries each GPU separately, because one missing GPU makes nvidia-smi fail for all. */
    private List<String[]> oneByOne(Map<String, String> wrong) throws IOException {
        List<String[]> lines = new ArrayList<>();
        for (String device : gpus) {
            Optional<Tool.Output> output = query(ERRORS, "-i", device);
            lines(output, 3).ifPresent(lines::addAll);
            if (output.filter(result -> GONE.contains(result.status())).isPresent()) {
                wrong.put(device, "unreachable by nvidia-smi");
            }
        }
        return lines;
    }

    /** Records the bus id of a GPU and its errors since the previous query. */
    private void note(String[] cells) {
        buses.put(bus(cells[1]), cells[0]);
        if (!cells[2].isEmpty() && cells[2].chars().allMatch(Character::isDigit)) {
            long now = Long.parseLong(cells[2]);
            Long before = errors.put(cells[0], now);
            if (before != null && now > before) {
                addIncident(cells[0], "%d uncorrected memory errors".formatted(now - before));
            }
        }
    }

    private void addIncident(String device, String what) {
        incidents.put(device, new Incident(what, nanos.getAsLong()));
    }

    private void addIncidents(Map<String, String> wrong) {
        kernel.newErrors().forEach((bus, what) -> {
            String device = buses.get(bus);
            if (device != null) {
                addIncident(device, what);
            }
        });
        incidents.values().removeIf(incident -> nanos.getAsLong() - incident.atNanos() >= INCIDENT_NANOS);
        incidents.forEach((device, incident) -> wrong.putIfAbsent(device, incident.why()));
    }

    /** Converts {@code 00000000:3B:00.0} into the form of the kernel log, {@code 0000:3b:00}. */
    private static String bus(String id) {
        String lower = id.toLowerCase(Locale.ROOT).replaceFirst("\\.\\d+$", "");
        return lower.replaceFirst("^0000(?=[0-9a-f]{4}:)", "");
    }

    private static Optional<List<String[]>> lines(Optional<Tool.Output> output, int columns) {
        return output.filter(result -> result.status() == 0)
                .map(result -> result.text()
                        .lines()
                        .map(line -> line.split(",", -1))
                        .filter(cells -> cells.length == columns)
                        .map(GpuHealth::stripCells)
                        .toList());
    }

    private static String[] stripCells(String[] cells) {
        String[] stripped = new String[cells.length];
        for (int i = 0; i < cells.length; i++) {
            stripped[i] = cells[i].strip();
        }
        return stripped;
    }
}
