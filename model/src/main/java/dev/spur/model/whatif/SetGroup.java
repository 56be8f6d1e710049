package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.job.JobGroup;
import dev.spur.model.round.RoundProblem;
import org.jspecify.annotations.Nullable;

/**
 * Other caps of a group.
 *
 * @param group its name
 * @param maxSlots maximum slots that its jobs hold together; null for no limit
 * @param maxJobs maximum number of its jobs that run at the same time; null for no limit
 */
public record SetGroup(
        String group, @Nullable Integer maxSlots, @Nullable Integer maxJobs) implements Change {
    public SetGroup {
        Checks.nonBlank("group", group);
        Checks.require(maxSlots == null || maxSlots >= 0, "maxSlots (%s) must be at least 0", maxSlots);
        Checks.require(maxJobs == null || maxJobs >= 0, "maxJobs (%s) must be at least 0", maxJobs);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs withheldJobs) {
        new ChangeValidator(problem, withheldJobs)
                .require(
                        NamedLists.has(problem.groups(), JobGroup::name, group),
                        "/group",
                        "group %s does not exist",
                        group)
                .throwIfInvalid();
        return problem.withGroups(problem.groups().stream()
                .map(other ->
                        other.name().equals(group) ? new JobGroup(group, other.tenant(), maxSlots, maxJobs) : other)
                .toList());
    }

    @Override
    public String describe() {
        String slots = maxSlots == null ? "any number of slots" : maxSlots + " slots";
        String jobs = maxJobs == null ? "any number of jobs" : maxJobs + " jobs";
        return "let group %s hold %s and run %s at the same time".formatted(group, slots, jobs);
    }
}
