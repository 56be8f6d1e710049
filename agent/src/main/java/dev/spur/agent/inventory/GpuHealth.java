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
 * How GPUs do by {@code nvidia-smi} and the log of the kernel. A GPU that is gone, or has a row of memory that could
 * not be remapped, is not healthy for as long as that is so. Errors that come and go, that is uncorrected ones of its
 * memory and errors of the driver (Xid) after which a GPU is not to be relied on, make it unhealthy for a minute; the
 * service sets it aside for longer, and longer each time. A slice does as its GPU does, and is gone when it is not
 * listed any more.
 */
public final class GpuHealth implements DeviceHealth {
    private static final String FORMAT = "--format=csv,noheader,nounits";
    private static final String ERRORS = "--query-gpu=uuid,pci.bus_id,ecc.errors.uncorrected.volatile.total";
    private static final String ROWS = "--query-remapped-rows=gpu_uuid,remapped_rows.failure";
    /** Statuses by which nvidia-smi says that a GPU was not found, or has fallen off its bus. */
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
    private boolean asked;
    private long askedAt;

    /**
     * What is asked.
     *
     * @param smi nvidia-smi
     * @param dmesg prints the log of the kernel
     */
    record Programs(String smi, String dmesg) {}

    /** Something that happened to a device. */
    private record Incident(String why, long atNanos) {}

    /** The health of GPUs and slices, whose ids are their UUIDs. */
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

    /** Asks at most every 15 s, and says the same again between. */
    @Override
    public Optional<Map<String, String>> complaints() {
        if (!asked || nanos.getAsLong() - askedAt >= EVERY_NANOS) {
            Optional<Map<String, String>> now = ask();
            if (now.isEmpty() && (!asked || last.isPresent())) {
                log.accept("nvidia-smi does not say how the GPUs do");
            }
            last = now;
            asked = true;
            askedAt = nanos.getAsLong();
        }
        return last;
    }

    private Optional<Map<String, String>> ask() {
        try {
            Map<String, String> wrong = new TreeMap<>();
            Optional<List<String[]>> listed = lines(ask(ERRORS), 3);
            List<String[]> lines = listed.isPresent() ? listed.get() : oneByOne(wrong);
            if (lines.isEmpty() && wrong.isEmpty()) {
                return Optional.empty();
            }
            lines.forEach(this::note);
            if (listed.isPresent()) {
                List<String> there = lines.stream().map(cells -> cells[0]).toList();
                gpus.stream()
                        .filter(gpu -> !there.contains(gpu))
                        .forEach(gone -> wrong.put(gone, "nvidia-smi does not list it any more"));
            }
            lines(ask(ROWS), 2).orElse(List.of()).stream()
                    .filter(cells -> TRUE.contains(cells[1]))
                    .forEach(cells -> wrong.put(cells[0], "a row of its memory could not be remapped"));
            addIncidents(wrong);
            return Optional.of(byDevice(wrong));
        } catch (IOException missing) {
            return Optional.empty();
        }
    }

    private Map<String, String> byDevice(Map<String, String> wrong) throws IOException {
        Map<String, String> complaints = new TreeMap<>();
        for (Device device : devices) {
            String why = wrong.get(device.gpu());
            if (why != null) {
                complaints.put(device.id(), why);
            }
        }
        if (devices.stream().anyMatch(device -> device.sliceOf() != null)) {
            addLostSlices(complaints);
        }
        return complaints;
    }

    /** Who cuts a GPU anew makes other slices, also where they are as large as those of before. */
    private void addLostSlices(Map<String, String> complaints) throws IOException {
        Optional<Tool.Output> output =
                Tool.run(List.of(programs.smi(), Slices.QUERY)).filter(said -> said.status() == 0);
        if (output.isPresent()) {
            List<String> there = Slices.parse(output.get().text()).values().stream()
                    .flatMap(List::stream)
                    .map(slice -> slice.device().id())
                    .toList();
            devices.stream()
                    .filter(device -> device.sliceOf() != null && !there.contains(device.id()))
                    .forEach(gone -> complaints.putIfAbsent(gone.id(), "nvidia-smi does not list it any more"));
        }
    }

    private Optional<Tool.Output> ask(String query, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(programs.smi(), query, FORMAT));
        command.addAll(List.of(more));
        return Tool.run(command);
    }

    /** One GPU that is gone makes nvidia-smi fail for all, so each is asked for by itself. */
    private List<String[]> oneByOne(Map<String, String> wrong) throws IOException {
        List<String[]> lines = new ArrayList<>();
        for (String device : gpus) {
            Optional<Tool.Output> output = ask(ERRORS, "-i", device);
            lines(output, 3).ifPresent(lines::addAll);
            if (output.filter(said -> GONE.contains(said.status())).isPresent()) {
                wrong.put(device, "nvidia-smi cannot reach it");
            }
        }
        return lines;
    }

    /** Notes the bus of a GPU, and errors that have come since it was last asked for. */
    private void note(String[] cells) {
        buses.put(bus(cells[1]), cells[0]);
        if (!cells[2].isEmpty() && cells[2].chars().allMatch(Character::isDigit)) {
            long now = Long.parseLong(cells[2]);
            Long before = errors.put(cells[0], now);
            if (before != null && now > before) {
                happened(cells[0], "%d uncorrected errors of its memory".formatted(now - before));
            }
        }
    }

    private void happened(String device, String what) {
        incidents.put(device, new Incident(what, nanos.getAsLong()));
    }

    private void addIncidents(Map<String, String> wrong) {
        kernel.newErrors().forEach((bus, what) -> {
            String device = buses.get(bus);
            if (device != null) {
                happened(device, what);
            }
        });
        incidents.values().removeIf(incident -> nanos.getAsLong() - incident.atNanos() >= INCIDENT_NANOS);
        incidents.forEach((device, incident) -> wrong.putIfAbsent(device, incident.why()));
    }

    /** {@code 00000000:3B:00.0} as the kernel writes it, {@code 0000:3b:00}. */
    private static String bus(String id) {
        String lower = id.toLowerCase(Locale.ROOT).replaceFirst("\\.\\d+$", "");
        return lower.replaceFirst("^0000(?=[0-9a-f]{4}:)", "");
    }

    private static Optional<List<String[]>> lines(Optional<Tool.Output> output, int columns) {
        return output.filter(said -> said.status() == 0)
                .map(said -> said.text()
                        .lines()
                        .map(line -> line.split(",", -1))
                        .filter(cells -> cells.length == columns)
                        .map(GpuHealth::stripped)
                        .toList());
    }

    private static String[] stripped(String[] cells) {
        String[] stripped = new String[cells.length];
        for (int i = 0; i < cells.length; i++) {
            stripped[i] = cells[i].strip();
        }
        return stripped;
    }
}
