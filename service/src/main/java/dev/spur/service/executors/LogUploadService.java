package dev.spur.service.executors;

import dev.spur.service.jobs.AssignmentKey;
import dev.spur.service.jobs.AssignmentStore;
import dev.spur.service.jobs.JobLogStore;
import dev.spur.service.jobs.RankOutput;
import dev.spur.service.jobs.StoredAssignment;
import dev.spur.service.jobs.StoredAssignment.DesiredRunState;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Stores output of assignments. It locks neither the executor nor the job, so that uploads do not delay heartbeats and
 * transitions.
 */
@Component
class LogUploadService {
    private final ExecutorStore executors;
    private final AssignmentStore assignments;
    private final JobLogStore logs;

    LogUploadService(ExecutorStore executors, AssignmentStore assignments, JobLogStore logs) {
        this.executors = executors;
        this.assignments = assignments;
        this.logs = logs;
    }

    /** Response to an upload; {@code applied} is false if it contained nothing new. */
    record LogReply(boolean applied) {}

    /**
     * Stores an upload. An assignment that has ended may upload its last output.
     *
     * @throws ProblemException 404 if the assignment does not exist; 409 if the registration epoch is outdated, or if
     *     newer generations have replaced the output; 422 for ranks of other nodes
     */
    @Transactional
    LogReply take(String executorId, String assignmentId, LogUpload upload) {
        StoredExecutor.requireCurrent(executors.find(executorId), executorId, upload.registrationEpoch());
        AssignmentKey key = AssignmentKey.of(assignmentId, executorId);
        List<StoredAssignment> gang = assignments.gang(key.jobId(), key.generation());
        StoredAssignment member = gang.stream()
                .filter(assignment -> assignment.key().equals(key) && assignment.desired() != DesiredRunState.UNKNOWN)
                .findFirst()
                .orElseThrow(() -> ProblemException.notFound("assignment", assignmentId));
        requireOwnRanks(member, upload.ranks());
        int ranks = gang.stream()
                .mapToInt(assignment -> assignment.devices().size())
                .sum();
        return new LogReply(logs.append(key, upload.seq(), ranks, upload.ranks()));
    }

    private static void requireOwnRanks(StoredAssignment member, List<RankOutput> ranks) {
        if (member.rescale() != null) {
            return; // processes keep their numbers when ranks change
        }
        int end = member.rankOffset() + member.devices().size();
        List<FieldError> errors = new ArrayList<>();
        for (int i = 0; i < ranks.size(); i++) {
            int rank = ranks.get(i).rank();
            if (rank < member.rankOffset() || rank >= end) {
                errors.add(FieldError.at(
                        "/ranks/%d/rank".formatted(i),
                        "is not a rank of the node, which has %d to %d".formatted(member.rankOffset(), end - 1)));
            }
        }
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
        }
    }

    /** Output of the ranks of an assignment, as an executor uploads it. Members as in the contract. */
    record LogUpload(long registrationEpoch, long seq, List<RankOutput> ranks) {
        LogUpload {
            ranks = List.copyOf(ranks);
        }
    }
}
