package dev.spur.simulator.trace;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.Goodput;
import java.util.List;
import java.util.Map;

/**
 * Trace of a saved state. All its jobs arrive together at 0 with their remaining work, and hold no slots. They run
 * exactly by their specs. Deadlines are relative to the time of the state; expired deadlines are dropped.
 */
public final class StateTrace {
    private StateTrace() {}

    /** Returns the trace of the jobs of {@code problem}. */
    public static Trace of(String name, RoundProblem problem) {
        List<TraceJob> jobs = problem.jobs().stream()
                .filter(job -> job.remainingSamples() > 0)
                .map(job -> job(job, problem))
                .toList();
        return new Trace(name, jobs, Map.of());
    }

    private static TraceJob job(Job job, RoundProblem problem) {
        JobSpec spec = job.spec()
                .edit()
                .work(new Work(WorkUnit.SAMPLES, job.remainingSamples(), null))
                .build();
        int slots = job.allocation() == null
                ? spec.elasticity().minCount().orElse(1)
                : job.allocation().configuration().slots();
        Double deadline = job.deadline() == null || job.deadline() <= problem.now()
                ? null
                : Double.valueOf(job.deadline() - problem.now());
        return new TraceJob(
                job.id(),
                0,
                job.tenant(),
                deadline,
                slots,
                aloneSeconds(spec, slots, problem.nodes()),
                new SpecGroundTruth(spec, spec.restartPenaltySeconds(), spec.restartPenaltySeconds()),
                PolicyViewModel.complete(spec));
    }

    /** Seconds of all work on the fastest available type, on as few nodes as possible; 1 if the job runs on no type. */
    private static double aloneSeconds(JobSpec spec, int slots, List<Node> nodes) {
        double fastest = 0;
        for (String type : nodes.stream().map(Node::acceleratorType).distinct().toList()) {
            if (type != null && spec.profile().acceleratorTypes().contains(type)) {
                var best = Goodput.best(spec, type, slots, 1, SyncStrategy.ALL_REDUCE, 0);
                fastest = best == null ? fastest : Math.max(fastest, best.goodput());
            }
        }
        return fastest == 0 ? 1 : Math.max(1e-9, spec.totalSamples() / fastest);
    }
}
