package dev.spur.policies.pop;

import dev.spur.model.job.Job;
import dev.spur.model.job.JobGroup;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Apportionment of the caps of groups: each part gets the use of its jobs, as far as the cap allows, and an equal share
 * of the rest.
 */
final class PopGroups {
    private PopGroups() {}

    /**
     * Returns the groups with the caps of {@code part}.
     *
     * @param jobs the jobs of each part
     */
    static List<JobGroup> of(RoundProblem problem, List<List<Job>> jobs, int part) {
        return problem.groups().stream()
                .map(group -> new JobGroup(
                        group.name(),
                        group.tenant(),
                        share(problem, group, group.maxSlots(), jobs, PopGroups::slots, part),
                        share(problem, group, group.maxJobs(), jobs, job -> 1, part)))
                .toList();
    }

    private static @Nullable Integer share(
            RoundProblem problem,
            JobGroup group,
            @Nullable Integer whole,
            List<List<Job>> jobs,
            ToIntFunction<Job> amount,
            int part) {
        if (whole == null) {
            return null;
        }
        int[] held = jobs.stream()
                .mapToInt(own -> own.stream()
                        .filter(job -> group.name().equals(job.spec().group()) && job.allocation() != null)
                        .mapToInt(amount)
                        .sum())
                .toArray();
        // Remainders of different groups go to different parts.
        return PopQuotas.deal(whole, held, problem.groups().indexOf(group) % jobs.size())[part];
    }

    private static int slots(Job job) {
        return job.allocation() == null ? 0 : job.allocation().configuration().slots();
    }
}
