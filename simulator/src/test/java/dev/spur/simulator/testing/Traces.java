package dev.spur.simulator.testing;

import dev.spur.model.JobFixture;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.cluster.NodeKind;
import dev.spur.simulator.trace.GroundTruth;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Hand-made traces, and clusters of {@code A100} for them. */
public final class Traces {
    private Traces() {}

    /** A job on one slot with {@code seconds} of work, and 30 s after each change. */
    public static TraceJob job(String id, double arrival, double seconds) {
        return job(id, arrival, 1, seconds, TestGroundTruth.of(seconds));
    }

    /** A job on {@code slots} slots, of which policies believe that it does one sample a second on each. */
    public static TraceJob job(String id, double arrival, int slots, double work, GroundTruth truth) {
        return new TraceJob(
                id,
                arrival,
                "root",
                null,
                slots,
                work / slots,
                truth,
                PolicyViewModel.complete(request(id, slots, work).spec()));
    }

    /** What {@link #job} asks for. */
    public static JobFixture request(String id, int slots, double work) {
        return JobFixture.job(id).slots(slots).work(work).speed("A100", 1, 1, 1).speed("A100", 64, 1, 64);
    }

    public static Trace trace(TraceJob... jobs) {
        return new Trace("synthetic", List.of(jobs), Map.of());
    }

    /** {@code count} jobs of 1 to 4 slots, each 10 to 1,000 s long, that arrive within {@code seconds}. */
    public static Trace random(int count, double seconds, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TraceJob[] jobs = IntStream.range(0, count)
                .mapToObj(i -> {
                    int slots = 1 << random.nextInt(3);
                    double work = slots * (10 + random.nextDouble() * 990);
                    return job("job-" + i, random.nextDouble() * seconds, slots, work, TestGroundTruth.of(work));
                })
                .toArray(TraceJob[]::new);
        return trace(jobs);
    }

    /** {@code count} nodes {@code a100-0}, {@code a100-1}, .. of {@code slots} slots. */
    public static ClusterFile cluster(int count, int slots) {
        return new ClusterFile(List.of(NodeKind.of("A100", count, slots)));
    }
}
