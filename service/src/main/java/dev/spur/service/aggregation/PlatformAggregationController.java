package dev.spur.service.aggregation;

import dev.spur.service.aggregation.PlatformShardLocations.Content;
import dev.spur.service.aggregation.PlatformShardLocations.ShardLocations;
import dev.spur.service.contract.ProblemException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
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
    Content content(@PathVariable String key) {
        return places.content(key)
                .orElseThrow(() -> ProblemException.notFound("aggregator with this key", "of the path"));
    }

    @GetMapping("/{key}/shard-locations")
    ShardLocations places(@PathVariable String key, @RequestParam String run) {
        return places.places(key, run).orElseThrow(() -> ProblemException.notFound("job with this key", "of the path"));
    }
}
