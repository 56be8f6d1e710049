package dev.spur.connectors.kubernetes;

import dev.spur.connectors.HostResources;
import dev.spur.connectors.kubernetes.PodSets.PodSet;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The CPUs and the memory that pods with GPUs request, by the host resources of each GPU. The container with the GPUs
 * gets what the other containers of its pod leave. Its limits follow its requests where its owner states limits.
 */
final class PodResources {
    private static final String CPU = "cpu";
    private static final String MEMORY = "memory";
    private static final double THOUSANDTHS = 1000;
    private static final long MEBIBYTE = 1 << 20;
    /** First minor version of Kubernetes 1 that changes them in the template of a suspended batch Job by default. */
    private static final int MUTABLE_SINCE = 36;

    private PodResources() {}

    /**
     * Returns true if the API server changes them in the template of a suspended batch Job.
     *
     * @throws IOException if there is no response
     */
    static boolean areMutableInJobs(ApiServerClient calls) throws IOException, InterruptedException {
        String minor = calls.get("/version")
                .map(version -> version.path("minor").asString(""))
                .orElse("")
                .replaceAll("\\D.*", "");
        return !minor.isEmpty() && Integer.parseInt(minor) >= MUTABLE_SINCE;
    }

    /**
     * Returns why the pods of a job cannot be granted its host levels; empty if they can.
     *
     * @param mutableInJobs whether the API server changes resources of suspended batch Jobs
     */
    static Optional<String> obstacle(Workload workload, PodSets shape, boolean mutableInJobs) {
        boolean isMutable = switch (workload.kind().pins()) {
            case AFFINITY -> mutableInJobs;
            case SPREAD -> true;
            case SELECTOR, PATCH, PODS -> false;
        };
        if (workload.admission().isPresent() || !isMutable) {
            return Optional.of("the setting host-levels requires pod templates whose requests can change: those of"
                    + " PyTorchJobs, TFJobs, Ray and, since Kubernetes 1.36, batch Jobs, without Kueue");
        }
        List<HostResources> levels = workload.jobAnnotation().hostSpeeds().stream()
                .map(level -> HostResources.of(level.cpus(), level.memoryGiB()))
                .toList();
        for (PodSet role : shape.roles()) {
            JsonNode spec = role.template().path("spec");
            if (gpuContainers(spec).count() != 1) {
                return Optional.of("the setting host-levels requires pods with one container that has GPUs");
            }
            if (levels.stream().anyMatch(level -> cpus(spec, shape.unit(), level) <= 0)
                    || levels.stream().anyMatch(level -> memory(spec, shape.unit(), level) <= 0)) {
                return Optional.of("a level of host-levels is no more than the other containers of a pod request");
            }
        }
        return Optional.empty();
    }

    /** Returns what the pods request for each GPU; null if pods differ, or request no CPUs or no memory. */
    static @Nullable HostResources read(PodSets shape) {
        List<Optional<HostResources>> found = shape.roles().stream()
                .map(role -> read(role.template().path("spec"), shape.unit()))
                .distinct()
                .toList();
        return found.size() == 1 ? found.get(0).orElse(null) : null;
    }

    private static Optional<HostResources> read(JsonNode spec, int gpus) {
        long cpus = Math.round(THOUSANDTHS * Gpus.request(spec, CPU)) / gpus;
        long memoryMiB = Math.round(Gpus.request(spec, MEMORY) / MEBIBYTE) / gpus;
        return cpus > 0 && memoryMiB > 0 ? Optional.of(new HostResources(cpus, memoryMiB)) : Optional.empty();
    }

    /** Sets the requests of a pod template with {@code gpus} GPUs, and the limits that its owner states. */
    static void write(ObjectNode template, int gpus, HostResources host) {
        JsonNode spec = template.path("spec");
        long memory = memory(spec, gpus, host);
        boolean isWhole = memory % MEBIBYTE == 0;
        set(spec, CPU, cpus(spec, gpus, host) + "m");
        set(spec, MEMORY, isWhole ? memory / MEBIBYTE + "Mi" : Long.toString(memory));
    }

    private static void set(JsonNode spec, String resource, String quantity) {
        gpuContainers(spec).forEach(container -> {
            ObjectNode resources = ((ObjectNode) container).withObject("/resources");
            resources.withObject("/requests").put(resource, quantity);
            if (resources.at("/limits").has(resource)) {
                resources.withObject("/limits").put(resource, quantity);
            }
        });
    }

    /** Returns the CPUs of the container with GPUs, in thousandths. */
    private static long cpus(JsonNode spec, int gpus, HostResources host) {
        return gpus * host.cpuThousandths() - Math.round(THOUSANDTHS * othersRequest(spec, CPU));
    }

    /** Returns the memory of the container with GPUs, in bytes. */
    private static long memory(JsonNode spec, int gpus, HostResources host) {
        return gpus * host.memoryMiB() * MEBIBYTE - Math.round(othersRequest(spec, MEMORY));
    }

    private static double othersRequest(JsonNode spec, String resource) {
        double own = gpuContainers(spec)
                .mapToDouble(container -> Gpus.containerRequest(container, resource))
                .sum();
        return Gpus.request(spec, resource) - own;
    }

    private static Stream<JsonNode> gpuContainers(JsonNode spec) {
        return spec.path("containers").valueStream().filter(container -> Gpus.ofContainer(container) > 0);
    }
}
