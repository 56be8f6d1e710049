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

/** A policy that keeps what it has seen and decided at some moments, and what was stated of each job. */
final class RecordingPolicy implements Policy {
    /** A round. */
    record Moment(RoundProblem problem, Decision decision) {}

    /** What was stated of a job from a time on: its spec, and the effective samples left at that time. */
    record View(double time, JobSpec spec, double left) {}

    private final Policy policy;
    private final double everySeconds;
    private final List<Moment> moments = new ArrayList<>();
    private final Map<String, List<View>> views = new HashMap<>();
    private double next;

    /** @param everySeconds time between two moments, at least */
    RecordingPolicy(Policy policy, double everySeconds) {
        this.policy = policy;
        this.everySeconds = everySeconds;
        this.next = everySeconds;
    }

    List<Moment> moments() {
        return moments;
    }

    /**
     * By id of the job, in order of time: what was stated of it each time that its spec had changed, the first time
     * included.
     */
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
        problem.jobs().forEach(job -> look(job, problem.now()));
        if (problem.now() >= next) {
            moments.add(new Moment(problem, decision));
            next = problem.now() + everySeconds;
        }
        return decision;
    }

    /** Identity tells: replays show the same object as long as nothing is new. */
    @SuppressWarnings("ReferenceEquality")
    private void look(Job job, double now) {
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
