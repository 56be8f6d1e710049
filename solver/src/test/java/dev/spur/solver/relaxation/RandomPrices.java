package dev.spur.solver.relaxation;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** Prices of random magnitude by name of the resource; about a third is 0. */
final class RandomPrices {
    private RandomPrices() {}

    static Map<String, Double> named(CouplingConstraints constraints, Random random) {
        Map<String, Double> prices = new HashMap<>();
        double scale = Math.pow(10, random.nextInt(5) - 3);
        constraints
                .rows()
                .forEach(row ->
                        prices.put(row.key().toString(), random.nextInt(3) == 0 ? 0 : scale * random.nextDouble()));
        return prices;
    }
}
