package dev.spur.agent.inventory;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Part of a GPU that one of several jobs gets. Where the Multi-Process Service of NVIDIA (MPS) runs, it limits threads
 * and memory of each process. Otherwise processes take turns, and only those that limit their memory are limited.
 *
 * @param count shares of each GPU, at least 1
 * @param memoryGiB memory of a share, 0 if unknown
 * @param pipes directory of the pipes of MPS
 */
public record GpuShare(int count, double memoryGiB, Path pipes) {
    private static final int PERCENT = 100;
    private static final double MIB_PER_GIB = 1024;
    private static final String PIPES = "CUDA_MPS_PIPE_DIRECTORY";

    /** Returns the share that each device of {@code inventory} is: one of {@code count} of its GPU. */
    public static GpuShare of(Inventory inventory, int count) {
        double memoryGiB = inventory.devices().stream()
                .mapToDouble(Device::memoryGiB)
                .min()
                .orElse(0);
        return new GpuShare(count, memoryGiB, Path.of(System.getenv().getOrDefault(PIPES, "/tmp/nvidia-mps")));
    }

    /**
     * Returns the environment variables that limit a process to its shares; empty for whole GPUs.
     *
     * @param held shares of the process on each of its GPUs, at least 1
     * @param gpus GPUs of the process, at least 1
     * @return {@code SPUR_GPU_FRACTION}, and the variables of MPS where that runs
     */
    public Map<String, String> variables(int held, int gpus) {
        Map<String, String> variables = new TreeMap<>();
        if (count == 1) {
            return variables;
        }
        variables.put("SPUR_GPU_FRACTION", Double.toString((double) held / count));
        if (isMpsRunning()) {
            variables.put(PIPES, pipes.toString());
            variables.put("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", Integer.toString(PERCENT * held / count));
            long memoryMiB = (long) (memoryGiB * held * MIB_PER_GIB);
            if (memoryMiB > 0) {
                variables.put(
                        "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT",
                        IntStream.range(0, gpus)
                                .mapToObj(gpu -> "%d=%dM".formatted(gpu, memoryMiB))
                                .collect(Collectors.joining(",")));
            }
        }
        return variables;
    }

    /** Returns how the shares are enforced now, in words. */
    public String enforcement() {
        return isMpsRunning()
                ? "and MPS limits the threads and the memory of each"
                : "by turns; without MPS, only programs with spur.torch limit their memory";
    }

    private boolean isMpsRunning() {
        return Files.exists(pipes.resolve("control"));
    }
}
