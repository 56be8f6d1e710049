package dev.spur.benchmarks.instance;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Pool;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.tenant.Tenant;
import dev.spur.simulator.trace.parsing.DelimitedTable;
import dev.spur.simulator.trace.parsing.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The jobs of a workload of the Sia artifact, all waiting at once, on multiples of its 64-slot cluster of three types.
 */
public final class MeasuredRound {
    /** Samples of a training run by model: epochs times samples per epoch of the data set, rounded. */
    private static final Map<String, Double> WORK = Map.of(
            "bert", 2 * 88_000.0,
            "cifar10", 100 * 50_000.0,
            "ncf", 10 * 994_000.0,
            "imagenet", 90 * 1_281_000.0,
            "deepspeech2", 80 * 14_000.0,
            "yolov3", 50 * 16_500.0,
            "gpt_pmp", 2 * 88_000.0);

    private static final Map<String, Integer> RESTART_SECONDS =
            Map.of("cifar10", 30, "deepspeech2", 25, "bert", 120, "yolov3", 45, "imagenet", 250);

    private MeasuredRound() {}

    /**
     * Returns the instance at the end of the workload's arrivals, with no job started.
     *
     * @param data the data folder
     * @param workload path of the workload below {@code traces/sia}
     * @param scale multiple of the 64-slot cluster
     * @param powersOfTwo true if jobs run only on powers of two
     */
    public static RoundProblem problem(
            Path data, String workload, int scale, boolean powersOfTwo, RoundSettings settings) throws IOException {
        Map<String, MeasuredProfile> models = new HashMap<>();
        List<Job> jobs = new ArrayList<>();
        double now = 0;
        for (Row row :
                DelimitedTable.read(data.resolve("traces/sia").resolve(workload), "name", "time", "application")) {
            String application = row.text("application").orElseThrow();
            MeasuredProfile model = models.get(application);
            if (model == null) {
                model = MeasuredProfile.read(data.resolve("profiles/placement-timings"), application);
                models.put(application, model);
            }
            double arrival = row.number("time").orElseThrow();
            now = Math.max(now, arrival);
            jobs.add(job(row.text("name").orElseThrow(), arrival, application, model, powersOfTwo, 64 * scale));
        }
        return new RoundProblem(
                RoundProblem.FORMAT,
                now,
                settings,
                List.of(
                        new AcceleratorType("T4", 16),
                        new AcceleratorType("RTX2080Ti", 11),
                        new AcceleratorType("A100", 40)),
                List.of(new Pool("main", false)),
                nodes(scale),
                List.of(),
                List.of(new Tenant("root", null, 1, Map.of())),
                List.of(),
                jobs,
                RoundMemory.EMPTY);
    }

    private static Job job(
            String name, double arrival, String application, MeasuredProfile model, boolean powersOfTwo, int max) {
        double work = WORK.getOrDefault(application, 1e6);
        JobSpec spec = new JobSpec(
                new Work(WorkUnit.SAMPLES, work, null),
                new Elasticity(List.of(), List.of(), 1, max, powersOfTwo, List.of(), null, false),
                model.batch(),
                Synchronization.allReduceOnly(),
                model.efficiency(),
                model.profile(),
                HostDemand.NONE,
                RESTART_SECONDS.getOrDefault(application, 30),
                0,
                true,
                1,
                0,
                null,
                null);
        return new Job(
                name, "root", arrival, spec, work, null, DeadlineStatus.NONE, ServiceHistory.ofArrival(arrival), null);
    }

    /** Returns, per unit of scale, 6 nodes of 4 T4, 3 of 8 RTX 2080 Ti and 2 of 8 A100. */
    private static List<Node> nodes(int scale) {
        List<Node> nodes = new ArrayList<>();
        IntStream.range(0, 6 * scale).forEach(i -> nodes.add(node("t4-" + i, "T4", 4)));
        IntStream.range(0, 3 * scale).forEach(i -> nodes.add(node("rtx-" + i, "RTX2080Ti", 8)));
        IntStream.range(0, 2 * scale).forEach(i -> nodes.add(node("a100-" + i, "A100", 8)));
        return nodes;
    }

    private static Node node(String id, String type, int slots) {
        List<String> devices =
                IntStream.range(0, slots).mapToObj(Integer::toString).toList();
        return new Node(id, "main", null, type, devices, 64, 512, 0, 0, NodeState.ACTIVE);
    }
}
