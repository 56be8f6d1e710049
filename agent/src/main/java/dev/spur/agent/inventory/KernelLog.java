package dev.spur.agent.inventory;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** GPU errors in the kernel log, if this user may read it. */
final class KernelLog {
    private static final Pattern XID =
            Pattern.compile("^\\[\\s*(\\d+\\.\\d+)] NVRM: Xid \\(PCI:([0-9a-f:]+)\\): (\\d+),.*");
    /**
     * Xid codes after which a GPU is unreliable: uncontained or unrecorded memory errors (48, 64, 95), halted
     * controller (62), NVLink (74), fallen off the bus (79), and unresponsive GSP (119, 120). Other codes are caused by
     * jobs, such as 13 and 31. Source: NVIDIA, Xid Errors.
     */
    private static final Set<String> SERIOUS = Set.of("48", "62", "64", "74", "79", "95", "119", "120");

    private final String program;
    private final Consumer<String> log;
    private boolean readable = true;
    private boolean started;
    private double newest;

    /** Creates a reader of the output of {@code program}. */
    KernelLog(String program, Consumer<String> log) {
        this.program = program;
        this.log = log;
    }

    /** Returns the serious errors since the previous call by bus id; none of those before the first call. */
    Map<String, String> newErrors() {
        Map<String, String> found = new TreeMap<>();
        Optional<Tool.Output> output = readable ? read() : Optional.empty();
        if (output.isEmpty()) {
            return found;
        }
        double last = newest;
        for (String line : output.get().text().lines().toList()) {
            Matcher error = XID.matcher(line);
            if (error.matches()) {
                double at = Double.parseDouble(error.group(1));
                newest = Math.max(newest, at);
                if (started && at > last && SERIOUS.contains(error.group(3))) {
                    found.put(error.group(2), "Xid " + error.group(3));
                }
            }
        }
        started = true;
        return found;
    }

    private Optional<Tool.Output> read() {
        Optional<Tool.Output> output;
        try {
            output = Tool.run(List.of(program)).filter(result -> result.status() == 0);
        } catch (IOException missing) {
            output = Optional.empty();
        }
        if (output.isEmpty()) {
            readable = false;
            log.accept("the kernel log is not readable; GPU errors reported only there (Xid) are not detected");
        }
        return output;
    }
}
