package dev.spur.solver.policy;

import dev.spur.model.job.PreemptionPolicy;
import dev.spur.solver.candidate.CandidateSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Part of each job in the stages of a solve by priority classes: decided, open in the present stage, or lower. */
final class ClassRoles {
    private final CandidateSet candidates;
    private final boolean[] decided;
    private int open = Integer.MAX_VALUE;

    ClassRoles(CandidateSet candidates) {
        this.candidates = candidates;
        this.decided = new boolean[candidates.jobs()];
    }

    /** Returns the classes of jobs with a choice, from the highest. */
    static List<Integer> withChoice(CandidateSet candidates) {
        return IntStream.range(0, candidates.jobs())
                .filter(j -> !candidates.isPinned(j) && candidates.first(j) < candidates.end(j))
                .map(j -> candidates.job(j).spec().priority())
                .distinct()
                .boxed()
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    /** Begins the stage of the class {@code priority}; all jobs of higher classes are decided. */
    void begin(int priority) {
        open = priority;
        for (int j = 0; j < decided.length; j++) {
            decided[j] |= priority(j) > priority;
        }
    }

    /** Marks job {@code j} as decided. */
    void decide(int j) {
        decided[j] = true;
    }

    /** Returns the present class. */
    int priority() {
        return open;
    }

    private int priority(int j) {
        return candidates.job(j).spec().priority();
    }

    /** Returns whether an earlier stage decided job {@code j}. */
    boolean isDecided(int j) {
        return decided[j];
    }

    /** Returns whether the present stage decides job {@code j}. */
    boolean isOpen(int j) {
        return priority(j) == open && !decided[j];
    }

    /** Returns whether job {@code j} has a lower class than the present one. */
    boolean isLower(int j) {
        return priority(j) < open;
    }

    /** Returns the jobs of the present class, decided or not. */
    IntStream ofClass() {
        return IntStream.range(0, decided.length).filter(j -> priority(j) == open);
    }

    /** Returns the open jobs. */
    IntStream open() {
        return ofClass().filter(this::isOpen);
    }

    /** Returns the open jobs that never stop a job of a lower class. */
    IntStream openWithoutPreemption() {
        return open().filter(j -> candidates.job(j).spec().preemptionPolicy() == PreemptionPolicy.NEVER);
    }
}
