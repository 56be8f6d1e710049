package dev.spur.service.eta;

import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the newest estimates are made from; those of single jobs stand with the jobs. */
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
                        ProblemType.NOT_FOUND, "There are no estimates yet; they follow the first round."));
    }
}
