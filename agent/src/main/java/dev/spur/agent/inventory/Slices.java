package dev.spur.agent.inventory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** GPU slices (MIG devices), as {@code nvidia-smi -L} lists them below their GPU. */
final class Slices {
    static final String QUERY = "-L";

    /** Matches {@code GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-..)}. */
    private static final Pattern GPU = Pattern.compile("^GPU \\d+:.*\\(UUID: ([!-~]+)\\)\\s*$");

    /**
     * Matches {@code MIG 3g.20gb Device 0: (UUID: MIG-..)}; older drivers name slices by their GPU,
     * {@code MIG-GPU-../1/0}.
     */
    private static final Pattern SLICE =
            Pattern.compile("^\\s+MIG (\\S+)\\s+Device\\s+\\d+:\\s+\\(UUID: ([!-~]+)\\)\\s*$");

    /** Memory in a profile name. NVIDIA writes GB, which are GiB of the GPU. */
    private static final Pattern MEMORY = Pattern.compile("\\.(\\d+)gb(?:\\+|$)");

    private Slices() {}

    /**
     * A slice.
     *
     * @param profile MIG profile, such as {@code 3g.20gb}
     * @param device device of the slice
     */
    record Slice(String profile, Device device) {}

    /** Returns the slices by UUID of their GPU, in listed order; GPUs without slices are absent. */
    static Map<String, List<Slice>> parse(String text) {
        Map<String, List<Slice>> slices = new HashMap<>();
        String gpu = "";
        for (String line : text.lines().toList()) {
            Matcher whole = GPU.matcher(line);
            Matcher part = SLICE.matcher(line);
            if (whole.matches()) {
                gpu = whole.group(1);
            } else if (part.matches() && !gpu.isEmpty()) {
                String uuid = part.group(2);
                slices.computeIfAbsent(gpu, id -> new ArrayList<>())
                        .add(new Slice(part.group(1), new Device(uuid, uuid, memory(part.group(1)), gpu)));
            }
        }
        return slices;
    }

    private static double memory(String profile) {
        Matcher size = MEMORY.matcher(profile);
        return size.find() ? Double.parseDouble(size.group(1)) : 0;
    }
}
