package dev.spur.model.objective;

import dev.spur.model.Checks;

/**
 * Prices of what a busy slot uses in addition to the slot itself, in the unit of the prices of nodes.
 *
 * @param pricePerCpuHour price of one host CPU for one hour, at least 0
 * @param pricePerKilowattHour price of a kilowatt-hour, at least 0
 */
public record ResourcePrices(double pricePerCpuHour, double pricePerKilowattHour) {
    /** CPUs and power have no price. */
    public static final ResourcePrices NONE = new ResourcePrices(0, 0);

    private static final double WATTS_PER_KILOWATT = 1000;

    public ResourcePrices {
        Checks.atLeast("pricePerCpuHour", pricePerCpuHour, 0);
        Checks.atLeast("pricePerKilowattHour", pricePerKilowattHour, 0);
    }

    /**
     * Returns the price of one busy slot for one hour.
     *
     * @param pricePerSlotHour price of the slot itself
     * @param cpus host CPUs that the slot uses
     * @param watts power of a busy device above that of an idle one
     */
    public double ofSlotHour(double pricePerSlotHour, double cpus, double watts) {
        return pricePerSlotHour + pricePerCpuHour * cpus + pricePerKilowattHour * watts / WATTS_PER_KILOWATT;
    }
}
