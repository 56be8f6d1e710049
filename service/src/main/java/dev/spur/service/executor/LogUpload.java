package dev.spur.service.executor;

import dev.spur.service.job.logs.RankOutput;
import java.util.List;

/**
 * Output of the ranks of an assignment, as an executor uploads it.
 *
 * @param registrationEpoch number of the registration
 * @param seq number of the upload of the assignment, ascending also over restarts of the executor
 * @param ranks output by rank
 */
record LogUpload(long registrationEpoch, long seq, List<RankOutput> ranks) {
    LogUpload {
        ranks = List.copyOf(ranks);
    }
}
