package dev.spur.service.jobs.learning;

import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.JobSpec;
import dev.spur.prediction.stall.LearnedStalls;
import dev.spur.service.jobs.MeasuredChange;
import dev.spur.service.jobs.learning.StallStore.JobStalls;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.UnaryOperator;
import org.springframework.stereotype.Component;

/** Learns the stalls of the changes of jobs. */
@Component
public class StallLearning {
    private final StallStore store;
    private final FamilyStore families;

    StallLearning(StallStore store, FamilyStore families) {
        this.store = store;
        this.families = families;
    }

    /**
     * Learns from a report of a running job. Changes that an earlier report of the generation had are not counted
     * again. Must run in the transaction that has locked the job.
     *
     * @param counted returns those of the new changes that count
     * @param restart stall of the restart that began the generation; empty unless this report shows its end
     */
    public void learn(
            String job,
            JobSpec spec,
            long generation,
            List<MeasuredChange> changes,
            UnaryOperator<List<MeasuredChange>> counted,
            OptionalDouble restart) {
        if (changes.isEmpty() && restart.isEmpty()) {
            return;
        }
        JobStalls before = store.find(job).orElse(JobStalls.NOTHING);
        JobStalls after = before;
        if (restart.isPresent() && restart.getAsDouble() >= 0 && restart.getAsDouble() <= LearnedStalls.MAX) {
            after = with(after, spec, ChangeMechanism.RESTART, restart.getAsDouble());
        }
        int last = lastNumber(before, generation);
        List<MeasuredChange> newChanges =
                changes.stream().filter(change -> change.number() > last).toList();
        for (MeasuredChange change : newChanges.isEmpty() ? newChanges : counted.apply(newChanges)) {
            if (change.number() > lastNumber(after, generation)) {
                LearnedStalls learned =
                        with(after, spec, change.kind(), change.stallSeconds()).learned();
                after = new JobStalls(learned, generation, change.number());
            }
        }
        if (!after.equals(before)) {
            store.put(job, after);
        }
    }

    private static int lastNumber(JobStalls stalls, long generation) {
        return stalls.generation() == generation ? stalls.number() : 0;
    }

    private JobStalls with(JobStalls before, JobSpec spec, ChangeMechanism change, double seconds) {
        if (spec.family() != null && before.learned().isShared(change)) {
            families.learn(spec.family(), change, seconds);
        }
        return new JobStalls(before.learned().and(change, seconds), before.generation(), before.number());
    }

    /** Returns the specification of a job with its estimated stalls. */
    public JobSpec effective(String job, JobSpec stated) {
        return stallsOf(job).effective(stated, families.stalls(stated.family()));
    }

    /** Returns the specification of a new job with the estimated stalls. */
    public JobSpec effective(JobSpec stated) {
        return LearnedStalls.NOTHING.effective(stated, families.stalls(stated.family()));
    }

    /** Returns the estimated stall of each change that the job supports. */
    public List<ChangeCost> of(String job, JobSpec stated) {
        return of(stallsOf(job), stated);
    }

    /** Returns the same for a new job. */
    public List<ChangeCost> ofNew(JobSpec stated) {
        return of(LearnedStalls.NOTHING, stated);
    }

    private List<ChangeCost> of(LearnedStalls own, JobSpec stated) {
        LearnedStalls family = families.stalls(stated.family());
        return Arrays.stream(ChangeMechanism.values())
                .filter(change -> change != ChangeMechanism.UNCHANGED && stated.supports(change))
                .map(change -> ChangeCost.of(change, own.estimate(change, stated, family)))
                .toList();
    }

    private LearnedStalls stallsOf(String job) {
        return store.find(job).map(JobStalls::learned).orElse(LearnedStalls.NOTHING);
    }
}
