package dev.spur.simulator.eta;

import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Policy that records problems and decisions at intervals, and the specifications of each job. */
final class RecordingPolicy implements Policy {
    /** A recorded round. */
    record Moment(RoundProblem problem, Decision decision) {}

    /** Specification of a job from a time on, with the effective samples left at that time. */
    record View(double time, JobSpec spec, double left) {}

    private final Policy policy;
    private final double everySeconds;
    private final List<Moment> moments = new ArrayList<>();
    private final Map<String, List<View>> views = new HashMap<>();
    private double next;

    /** @param everySeconds minimum time between two recorded rounds */
    RecordingPolicy(Policy policy, double everySeconds) {
        this.policy = policy;
        this.everySeconds = everySeconds;
        this.next = everySeconds;
    }

    List<Moment> moments() {
        return moments;
    }

    /** Returns the specifications of each job in order of time, by job id: the first one and each changed one. */
    Map<String, List<View>> views() {
        return views;
    }

    @Override
    public String name() {
        return policy.name();
    }

    @Override
    public Decision decide(RoundProblem problem) {
        Decision decision = policy.decide(problem);
        problem.jobs().forEach(job -> recordView(job, problem.now()));
        if (problem.now() >= next) {
            moments.add(new Moment(problem, decision));
            next = problem.now() + everySeconds;
        }
        return decision;
    }

    /** Identity comparison is intended: replays pass the same object until the specification changes. */
    @SuppressWarnings("ReferenceEquality")
    private void recordView(Job job, double now) {
        List<View> known = views.computeIfAbsent(job.id(), id -> new ArrayList<>());
        if (known.isEmpty() || known.get(known.size() - 1).spec() != job.spec()) {
            known.add(new View(now, job.spec(), job.remainingSamples()));
        }
    }

    @Override
    public boolean changesOnlyWithEvents() {
        return policy.changesOnlyWithEvents();
    }
}
