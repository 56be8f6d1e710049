package dev.spur.service.questions;

import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Overview of the newest ETAs; the ETAs of single jobs are part of the jobs. */
@RestController
class EtaController {
    private final EtaFeed feed;

    EtaController(EtaFeed feed) {
        this.feed = feed;
    }

    @GetMapping("/api/v1/etas")
    EtaFeed.Overview overview() {
        return feed.overview()
                .orElseThrow(() -> ProblemException.of(
                        ProblemType.NOT_FOUND, "There are no ETAs yet; the first round computes them."));
    }
}
