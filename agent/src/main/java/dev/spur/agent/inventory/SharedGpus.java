package dev.spur.agent.inventory;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * GPUs of which jobs may take shares. Where the Multi-Process Service of NVIDIA (MPS) runs, it limits threads and
 * memory of each process. Otherwise processes take turns, and only those that limit their memory are limited.
 *
 * @param memoryGiB memory of a GPU, 0 if unknown
 * @param pipes directory of the pipes of MPS
 */
public record SharedGpus(double memoryGiB, Path pipes) {
    private static final int PERCENT = 100;
    private static final double MIB_PER_GIB = 1024;
    private static final String PIPES = "CUDA_MPS_PIPE_DIRECTORY";

    /** Returns the GPUs of {@code inventory}, with the smallest memory of any. */
    public static SharedGpus of(Inventory inventory) {
        double memoryGiB = inventory.devices().stream()
                .mapToDouble(Device::memoryGiB)
                .min()
                .orElse(0);
        return new SharedGpus(memoryGiB, Path.of(System.getenv().getOrDefault(PIPES, "/tmp/nvidia-mps")));
    }

    /**
     * Returns the environment variables that limit a process to its share of one GPU.
     *
     * @param share from 0.01 to 0.99
     * @return {@code SPUR_GPU_FRACTION}, and the variables of MPS where that runs
     */
    public Map<String, String> variables(double share) {
        Map<String, String> variables = new TreeMap<>();
        variables.put("SPUR_GPU_FRACTION", Double.toString(share));
        if (isMpsRunning()) {
            variables.put(PIPES, pipes.toString());
            variables.put("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", Long.toString(Math.round(PERCENT * share)));
            long memoryMiB = (long) (memoryGiB * share * MIB_PER_GIB);
            if (memoryMiB > 0) {
                variables.put("CUDA_MPS_PINNED_DEVICE_MEM_LIMIT", "0=%dM".formatted(memoryMiB));
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
