package dev.spur.service.jobs.lifecycle;

import dev.spur.service.database.RoundTrigger;
import dev.spur.service.jobs.JobArray;
import dev.spur.service.jobs.JobArrayStore;
import dev.spur.service.jobs.JobState;
import dev.spur.service.web.AuditTrail;
import dev.spur.service.web.contract.EntityTag;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Commands of owners for whole arrays. Each method is one transaction that has locked the active jobs. */
@Component
@Transactional
public class ArrayCommands {
    private final JobArrayStore arrays;
    private final JobTermination ending;
    private final RoundTrigger trigger;
    private final AuditTrail trail;

    ArrayCommands(JobArrayStore arrays, JobTermination ending, RoundTrigger trigger, AuditTrail trail) {
        this.arrays = arrays;
        this.ending = ending;
        this.trigger = trigger;
        this.trail = trail;
    }

    /**
     * Changes of an array.
     *
     * @param changesLimit false to keep the limit
     * @param limit maximum number of its jobs that run at the same time; null for no limit
     * @param changesNotBefore false to keep the earliest start of its jobs
     * @param notBefore time before which no round starts its waiting jobs; null for none
     * @param priority priority class of its active jobs; null to keep it
     */
    public record ArrayEdit(
            boolean changesLimit,
            @Nullable Integer limit,
            boolean changesNotBefore,
            @Nullable Instant notBefore,
            @Nullable Integer priority) {}

    /** Cancels the active jobs of an array. */
    public JobArray cancel(String id, String caller) {
        return change(id, active -> {
            if (!active.isEmpty()) {
                ending.complete(arrays.cancel(id, caller), JobState.CANCELLED);
            }
        });
    }

    /** Holds the active jobs of an array; a running job that is not preemptible continues. */
    public JobArray hold(String id, String caller) {
        return change(id, active -> {
            if (arrays.hold(id, true, caller) > 0) {
                trigger.requestRound("array held");
            }
        });
    }

    /** Releases the held jobs of an array. */
    public JobArray release(String id, String caller) {
        return change(id, active -> {
            if (arrays.hold(id, false, caller) > 0) {
                trigger.requestRound("array released");
            }
        });
    }

    /**
     * Changes an array if {@code ifMatch} names its current version.
     *
     * @throws ProblemException 422 if its limit is set although its jobs name a job group
     */
    public JobArray edit(String id, Optional<String> ifMatch, ArrayEdit edit) {
        return change(id, active -> {
            JobArray array = arrays.find(id).orElseThrow();
            EntityTag.of(array.version()).require(ifMatch);
            if (edit.changesLimit()) {
                limit(array, edit.limit());
            }
            if (edit.changesNotBefore()) {
                arrays.postpone(id, edit.notBefore());
            }
            if (edit.priority() != null) {
                arrays.prioritize(id, edit.priority());
            }
            trigger.requestRound("array changed");
        });
    }

    private void limit(JobArray array, @Nullable Integer limit) {
        if (array.groupName() == null && limit == null) {
            return;
        }
        if (arrays.isInOtherGroup(array.id())) {
            throw ProblemException.of(
                    ProblemType.UNPROCESSABLE,
                    FieldError.at(
                            "/limit", "cannot be set, because the jobs name a group; change maxJobs of the group"));
        }
        arrays.addGroup(array.id());
        arrays.limit(array.id(), limit);
    }

    private JobArray change(String id, Consumer<List<String>> work) {
        List<String> active = arrays.lockActive(id);
        JobArray before = arrays.find(id).orElseThrow(() -> ProblemException.notFound("array", id));
        work.accept(active);
        JobArray after = arrays.find(id).orElseThrow();
        trail.recordChange("array", id, before, after);
        return after;
    }
}
