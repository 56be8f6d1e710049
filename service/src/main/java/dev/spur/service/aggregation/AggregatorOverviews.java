package dev.spur.service.aggregation;

import dev.spur.service.aggregation.AggregatorCountsStore.AggregatorReport;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.plan.PlanFeed;
import dev.spur.service.plan.PlannedAggregator;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/** All aggregators with predicted and measured load. */
@Component
class AggregatorOverviews {
    private final AggregatorStore aggregators;
    private final AggregatorCountsStore counts;
    private final PlanFeed feed;

    AggregatorOverviews(AggregatorStore aggregators, AggregatorCountsStore counts, PlanFeed feed) {
        this.aggregators = aggregators;
        this.counts = counts;
        this.feed = feed;
    }

    private record Place(String node, int number) {}

    /** All aggregators, by node and number. */
    List<AggregatorOverview> all() {
        Map<Place, PlannedAggregator> planned = new HashMap<>();
        feed.current()
                .map(PlanDocument::aggregators)
                .orElse(List.of())
                .forEach(one -> planned.put(new Place(one.node(), one.number()), one));
        Map<Place, AggregatorReport> reported = new HashMap<>();
        counts.all()
                .forEach(one -> reported.put(new Place(one.node(), one.counts().number()), one));
        return aggregators.all().stream()
                .map(stored -> {
                    Place place = new Place(stored.node(), stored.number());
                    return AggregatorOverview.of(stored, planned.get(place), reported.get(place));
                })
                .sorted(Comparator.comparing(AggregatorOverview::node).thenComparing(AggregatorOverview::number))
                .toList();
    }
}
