package dev.spur.agent;

import dev.spur.agent.inventory.Device;
import dev.spur.agent.inventory.DeviceHealth;
import dev.spur.agent.inventory.FileDeviceHealth;
import dev.spur.agent.inventory.GpuHealth;
import dev.spur.agent.process.ProcessRuns;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of what an agent looks after beside jobs: memory, logs, and the health of devices. */
final class MonitoringOptions {
    private static final long MIB = 1 << 20;

    @Option(
            names = "--device-health",
            paramLabel = "FILE",
            description = "What says which devices are not healthy, a line for each: its id, and why.")
    private @Nullable Path deviceHealth;

    @Option(
            names = "--log-mib",
            paramLabel = "MIB",
            description = "Log of a process that is kept twice over while it runs (default: ${DEFAULT-VALUE}).")
    private int logMib = 64;

    @Option(
            names = "--logs-mib",
            paramLabel = "MIB",
            description = "Logs that are kept of all jobs (default: ${DEFAULT-VALUE}).")
    private int logsMib = 10_240;

    @Option(
            names = "--logs-files",
            paramLabel = "N",
            description = "Number of logs that are kept (default: ${DEFAULT-VALUE}).")
    private int logsFiles = 10_000;

    @Option(
            names = "--logs-days",
            paramLabel = "DAYS",
            description = "Age at which logs of processes that have ended are deleted (default: ${DEFAULT-VALUE}).")
    private int logsDays = 30;

    @Option(
            names = "--memory-info",
            paramLabel = "FILE",
            description = "What says how much memory the node has and uses (default: ${DEFAULT-VALUE}).")
    private Path memoryInfo = Path.of("/proc/meminfo");

    @Option(
            names = "--memory-floor",
            paramLabel = "GIB",
            description =
                    "Memory that stays free beside what is lent: with less, loans are taken back at once (default: ${DEFAULT-VALUE}).")
    private double memoryFloor = 2;

    /** What is wrong with the options; empty text if nothing is. */
    String complaint() {
        boolean fits = logMib >= 1 && logsMib >= 0 && logsFiles >= 0 && logsDays >= 0;
        return fits ? "" : "--log-mib must be at least 1, the other bounds of logs at least 0.";
    }

    Path memoryInfo() {
        return memoryInfo;
    }

    /** The memory to watch, of which the node offers so many GiB and jobs use so many. */
    MemoryWatch.Memory memory(double offeredGiB, DoubleSupplier ofJobs) {
        return new MemoryWatch.Memory(memoryInfo, memoryFloor, offeredGiB, ofJobs);
    }

    ProcessRuns.LogBounds logs() {
        return new ProcessRuns.LogBounds(logMib * MIB, logsMib * MIB, logsFiles, Duration.ofDays(logsDays));
    }

    /** Who tells how devices do; nobody if they are neither GPUs nor looked after by anybody. */
    List<DeviceHealth> health(boolean gpus, List<Device> devices, Consumer<String> log) {
        List<DeviceHealth> sources = new ArrayList<>();
        if (gpus) {
            sources.add(new GpuHealth(devices, log));
        }
        if (deviceHealth != null) {
            sources.add(new FileDeviceHealth(deviceHealth));
        }
        return sources;
    }
}
