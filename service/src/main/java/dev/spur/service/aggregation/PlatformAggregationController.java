package dev.spur.service.aggregation;

import dev.spur.service.aggregation.PlatformShardLocations.Content;
import dev.spur.service.aggregation.PlatformShardLocations.ShardLocations;
import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.ProblemException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Routes for aggregators and training code on external platforms, without a token. The key in the path authorizes the
 * request.
 */
@RestController
@RequestMapping("/keyed/aggregation")
class PlatformAggregationController {
    private final PlatformShardLocations places;

    PlatformAggregationController(PlatformShardLocations places) {
        this.places = places;
    }

    @GetMapping("/{key}/content")
    Content content(ContractRequest request) {
        return places.content(request.text("key"))
                .orElseThrow(() -> ProblemException.notFound("aggregator with this key", "of the path"));
    }

    @GetMapping("/{key}/shard-locations")
    ShardLocations places(ContractRequest request) {
        return places.places(request.text("key"), request.text("run"))
                .orElseThrow(() -> ProblemException.notFound("job with this key", "of the path"));
    }
}
