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

/** Command-line options for memory, logs and device health. */
final class MonitoringOptions {
    private static final long MIB = 1 << 20;

    @Option(
            names = "--device-health",
            paramLabel = "FILE",
            description = "File of unhealthy devices; each line contains an id and the reason.")
    private @Nullable Path deviceHealth;

    @Option(
            names = "--log-mib",
            paramLabel = "MIB",
            description =
                    "Maximum size of a log, MiB; at this size it is renamed and continued, and one renamed log remains (default: ${DEFAULT-VALUE}).")
    private int logMib = 64;

    @Option(
            names = "--logs-mib",
            paramLabel = "MIB",
            description = "Maximum total size of the logs of all jobs, MiB (default: ${DEFAULT-VALUE}).")
    private int logsMib = 10_240;

    @Option(
            names = "--logs-files",
            paramLabel = "N",
            description = "Maximum number of logs (default: ${DEFAULT-VALUE}).")
    private int logsFiles = 10_000;

    @Option(
            names = "--logs-days",
            paramLabel = "DAYS",
            description = "Age at which logs of ended processes are deleted, days (default: ${DEFAULT-VALUE}).")
    private int logsDays = 30;

    @Option(
            names = "--memory-info",
            paramLabel = "FILE",
            description = "File with the memory of the node (default: ${DEFAULT-VALUE}).")
    private Path memoryInfo = Path.of("/proc/meminfo");

    @Option(
            names = "--memory-floor",
            paramLabel = "GIB",
            description =
                    "Minimum free memory in addition to loans, GiB; loans are revoked below it (default: ${DEFAULT-VALUE}).")
    private double memoryFloor = 2;

    @Option(
            names = "--nbdkit",
            paramLabel = "PROGRAM",
            description =
                    "Program that serves memory to other nodes; a node without it lends none (default: ${DEFAULT-VALUE}).")
    private String nbdkit = "nbdkit";

    /** Returns the error in the options; an empty string if there is none. */
    String validationError() {
        boolean fits = logMib >= 1 && logsMib >= 0 && logsFiles >= 0 && logsDays >= 0;
        return fits ? "" : "--log-mib must be at least 1; the other limits of logs must be at least 0.";
    }

    String nbdkit() {
        return nbdkit;
    }

    Path memoryInfo() {
        return memoryInfo;
    }

    /** Returns the monitored memory for a node that offers {@code offeredGiB}. */
    MemoryWatch.Memory memory(double offeredGiB, DoubleSupplier ofJobs) {
        return new MemoryWatch.Memory(memoryInfo, memoryFloor, offeredGiB, ofJobs);
    }

    ProcessRuns.LogBounds logs() {
        return new ProcessRuns.LogBounds(logMib * MIB, logsMib * MIB, logsFiles, Duration.ofDays(logsDays));
    }

    /** Returns the sources of device health; empty if the devices are not GPUs and no health file is configured. */
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
