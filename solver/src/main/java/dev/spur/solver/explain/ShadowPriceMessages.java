package dev.spur.solver.explain;

import dev.spur.model.round.ShadowPrice;
import dev.spur.solver.resource.DualPrice;
import dev.spur.solver.resource.ResourceKey;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Messages of shadow prices, compared with the mean utility of a used slot. */
public final class ShadowPriceMessages {
    /** Prices below this fraction of the mean utility of a used slot are residues of a search that was cut short. */
    private static final double NEGLIGIBLE = 1e-6;

    private ShadowPriceMessages() {}

    /**
     * Returns the shadow prices of the plan, with comparisons and messages.
     *
     * @param average mean utility of a used slot
     */
    public static List<ShadowPrice> of(List<DualPrice> prices, double average) {
        return prices.stream()
                .map(price -> {
                    double value = price.price() <= NEGLIGIBLE * average ? 0 : price.price();
                    Double slots = average > 0 ? Double.valueOf(value / average) : null;
                    return new ShadowPrice(
                            price.reported().toString(),
                            price.reported().kind(),
                            value,
                            price.available(),
                            slots,
                            message(price.reported(), value, slots));
                })
                .toList();
    }

    private static String message(ResourceKey.Reported reported, double value, @Nullable Double slots) {
        if (value == 0) {
            return "One more %s would add nothing to the objective value (shadow price 0).".formatted(unit(reported));
        }
        String compared =
                slots == null ? "" : String.format(Locale.ROOT, ", %.3g times the mean utility of a used slot", slots);
        return "One more %s would add at most about %s to the objective value%s."
                .formatted(unit(reported), String.format(Locale.ROOT, "%.4g", value), compared);
    }

    private static String unit(ResourceKey.Reported reported) {
        String of = reported.scope();
        return switch (reported.kind()) {
            case SLOT -> "slot of %s, on a whole node,".formatted(of);
            case AGGREGATION_SLOT -> "aggregation slot of pool %s".formatted(of);
            case HOST_CPU -> "host CPU on nodes of %s".formatted(of);
            case HOST_MEMORY_GIB -> "GiB of host memory on nodes of %s".formatted(of);
            case QUOTA_SLOT -> "slot of the quota of %s".formatted(of);
            case GROUP_SLOT -> "slot for group %s".formatted(of);
            case GROUP_JOB -> "job of group %s at a time".formatted(of);
            case RESTART -> "restart in a round";
        };
    }
}
