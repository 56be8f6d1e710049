package dev.spur.service.jobs;

import dev.spur.service.jobs.JobLogStore.LogQuery;
import dev.spur.service.web.contract.PollRequest;
import dev.spur.service.web.contract.ProblemException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Output of a job. */
@RestController
class JobLogController {
    private final JobStore jobs;
    private final LogFeed feed;

    JobLogController(JobStore jobs, LogFeed feed) {
        this.jobs = jobs;
        this.feed = feed;
    }

    @GetMapping("/api/v1/jobs/{id}/logs")
    Object logs(
            @PathVariable String id,
            @RequestParam @Nullable Long generation,
            @RequestParam @Nullable Integer rank,
            @RequestParam(defaultValue = "100") int lines,
            PollRequest poll) {
        StoredJob job = jobs.find(id).orElseThrow(() -> ProblemException.notFound("job", id));
        return feed.poll(job, new LogQuery(generation, rank, lines, poll.known()), poll.maxWait());
    }
}
